/** The client of PyPI, `healthchecks-io`, unchanged: it validates every answer with pydantic (CHECKINS.md §10). */
import { expect } from "bun:test";
import { newCheck, pingKeyUrl } from "../../support/checks.ts";
import { startPeal } from "../../support/server.ts";
import { testWith } from "../../support/tools.ts";
import { pythonWith } from "../../tools.ts";

const SCRIPT = `
import json, os
from healthchecks_io import Client, CheckCreate, HCAPIAuthError, CheckNotFoundError, BadAPIRequestError

url, version = os.environ["URL"], int(os.environ["VERSION"])
def client(key):
    return Client(api_key=os.environ[key], ping_key=os.environ["PING_KEY"], api_url=url + "/api/", ping_url=url + "/v1/ping/", api_version=version)

def refusal(ask):
    try:
        ask()
    except (HCAPIAuthError, CheckNotFoundError, BadAPIRequestError) as error:
        return type(error).__name__
    return "none"

with client("FULL") as full, client("READ") as read:
    made = full.create_check(CheckCreate(name="by python", tags="py", desc="text", timeout=3600, grace=600))
    again = full.create_check(CheckCreate(name="by python", tags="py two", timeout=3600, grace=600, unique=["name"]))
    changed = full.update_check(made.uuid, CheckCreate(name="by python", schedule="0 4 * * *", tz="Europe/Berlin"))
    pinged = full.success_ping(slug=os.environ["SLUG"], data="all fine")
    full.start_ping(slug=os.environ["SLUG"])
    ended = full.exit_code_ping(0, slug=os.environ["SLUG"])
    pings = full.get_check_pings([check for check in full.get_checks() if check.slug == os.environ["SLUG"]][0].uuid)
    paused = full.pause_check(made.uuid)
    seen = full.get_checks(tags=["py"])
    readers = read.get_checks()
    one = read.get_check(readers[0].unique_key)
    badges = full.get_badges()
    channels = full.get_integrations()
    refused = [refusal(lambda: read.pause_check(made.uuid)), refusal(lambda: full.get_check("0" * 40)),
        refusal(lambda: full.create_check(CheckCreate(name="x" * 101)))]
    deleted = full.delete_check(made.uuid)
    print(json.dumps({
        "uuids": [made.uuid == again.uuid == changed.uuid == deleted.uuid, made.uuid in made.update_url],
        "statuses": [made.status, paused.status],
        "pinged": [pinged[0], ended[0]],
        "pings": [[ping.type, ping.number_of_pings] for ping in pings],
        "seen": [check.name for check in seen],
        "readers": [[check.uuid, check.ping_url] for check in readers],
        "one": one.name == readers[0].name,
        "badges": sorted(badges),
        "channels": [channel.name for channel in channels],
        "refused": refused,
    }))
`;

testWith("healthchecks-io").each(["1", "3"])(
  "healthchecks-io of PyPI makes, reads, changes, pings, pauses and deletes checks by version %s",
  async (version) => {
    await using peal = await startPeal();
    await newCheck(peal, { name: "pinged", slug: "pinged", every: 60 });
    const pingKey = (await pingKeyUrl(peal)).split("/").at(-1) ?? "";
    const keys = { FULL: (await peal.mint("full")).key, READ: (await peal.mint("read")).key, PING_KEY: pingKey };
    const child = Bun.spawn([pythonWith("healthchecks_io") ?? "python3", "-W", "ignore", "-c", SCRIPT], {
      env: { PATH: process.env["PATH"] ?? "", URL: peal.url, VERSION: version, SLUG: "pinged", ...keys },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    expect([await child.exited, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual({
      uuids: [true, true],
      statuses: ["new", "paused"],
      pinged: [true, true],
      pings: [
        ["success", 3],
        ["start", 2],
        ["success", 1],
      ],
      seen: ["by python"],
      readers: [
        [null, null],
        [null, null],
      ],
      one: true,
      badges: ["*", "py", "two"],
      channels: ["checks"],
      refused: ["HCAPIAuthError", "CheckNotFoundError", "BadAPIRequestError"],
    });
  },
  60_000, // Python and pydantic take seconds to start
);
