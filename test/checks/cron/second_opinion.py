"""Prints the rows of the tables that cronsim answers otherwise: pip install cronsim tzdata; python second_opinion.py"""

import json
import zoneinfo
from datetime import datetime, timezone
from itertools import islice, takewhile
from pathlib import Path

from cronsim import CronSim

zoneinfo.reset_tzpath(to=[])  # the package tzdata, not this machine's
HERE = Path(__file__).parent
NICKNAMES = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}


def runs(schedule, zone, after):
    return CronSim(NICKNAMES.get(schedule, schedule), after.astimezone(zoneinfo.ZoneInfo(zone)))


def spelled(times, first):
    return " ".join(time.isoformat()[first:16] + time.isoformat()[19:] for time in times)


def compare(zone, schedule, recorded, answered):
    if recorded != answered:
        print(f"{zone} {schedule}\n  recorded {recorded}\n  cronsim  {answered}")


for span in json.loads((HERE / "changes.json").read_text()):
    after, to = (datetime.fromisoformat(span[key].replace("Z", "+00:00")) for key in ("from", "to"))
    for schedule, recorded in span["runs"].items():
        times = takewhile(lambda time: time.astimezone(timezone.utc) < to, runs(schedule, span["zone"], after))
        compare(span["zone"], schedule, recorded, spelled(times, 8))

AFTER = datetime(2026, 1, 15, 10, 30, tzinfo=timezone.utc)
for row in json.loads((HERE / "calendar.json").read_text()):
    compare(row["zone"], row["schedule"], row["runs"], spelled(islice(runs(row["schedule"], row["zone"], AFTER), 6), 0))
