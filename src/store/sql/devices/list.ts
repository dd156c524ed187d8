/** Lists devices for people, the latest first, by the index that has them in that order. */
import type { DeviceRow, Platform } from "../../../devices/device.ts";
import type { TopicId } from "../../../topics/topic.ts";
import type { Millis } from "../../../util/clock.ts";
import { deviceRef } from "../../../util/ids.ts";
import { createTurns, SLICE_MS } from "../../../util/turns.ts";
import type { DeviceFilter, DeviceStore } from "../../devices.ts";
import { isAbsent, JOIN_IN_ORDER, listed, type Orm } from "../differences.ts";
import { DEVICE_COLUMNS, toDevice, type StoredDevice } from "./rows.ts";
import type { Engine } from "../engine.ts";

// by hand: correlated subqueries, each in the order of a partial index
const TOPICS = `(SELECT count(*) FROM subscription s ${JOIN_IN_ORDER} topic t ON t.row = s.topic_id
    WHERE s.device_row = d.row AND t.deleted_at IS NULL
      AND (${isAbsent("?1")} OR t.namespace_id IN ${listed("?1")})) AS topics`;
const ACTIVE = `SELECT ${DEVICE_COLUMNS}, ${TOPICS} FROM device d
  WHERE d.platform = ?2 AND d.lost_at IS NULL AND d.row < ?3 ORDER BY d.row DESC LIMIT ?4`;
const LOST = `SELECT ${DEVICE_COLUMNS}, ${TOPICS} FROM device d
  WHERE d.lost_at IS NOT NULL AND (d.lost_at, d.platform, d.row) < (?2, ?3, ?4)
  ORDER BY d.lost_at DESC, d.platform DESC, d.row DESC LIMIT ?5`;
// the newest row is found in the index of the topic: only that one is read
const LATEST = `SELECT ${DEVICE_COLUMNS}, l.subscribed_at AS subscribedAt
  FROM subscription l ${JOIN_IN_ORDER} device d ON d.row = l.device_row
  WHERE l.row = (SELECT max(s.row) FROM subscription s ${JOIN_IN_ORDER} device o ON o.row = s.device_row
    WHERE s.topic_id = ? AND o.lost_at IS NULL AND o.namespace_id IS NULL)`;
const BY_REF = `SELECT ${DEVICE_COLUMNS} FROM device d WHERE d.ref = ?`;

export const PLATFORMS = ["ios", "android", "web", "forward"] as const;
/** The most devices that one page looks at, in slices. */
const MOST_LOOKED = 5_000;
const ROWS_AT_ONCE = 100;

type Row = StoredDevice & { topics: number };
type Place = Pick<StoredDevice, "row" | "platform" | "lostAt">;
/** Comes before all devices. */
const START: Place = { row: Number.MAX_SAFE_INTEGER as DeviceRow, platform: "web", lostAt: Number.MAX_SAFE_INTEGER };

export function deviceLister({ read, clock }: Engine) {
  const { $client: db } = read;
  const active = db.prepare<Row, [string | null, Platform, number, number]>(ACTIVE);
  const lost = db.prepare<Row, [string | null, Millis, Platform, number, number]>(LOST);
  const latest = db.prepare<StoredDevice & { subscribedAt: Millis }, [TopicId]>(LATEST);
  const byRef = db.prepare<StoredDevice, [string]>(BY_REF);
  const turn = createTurns();

  /** The devices behind a place. */
  const page = ({ namespaces, platform, isLost }: DeviceFilter, after: Place): Row[] => {
    const among = namespaces === undefined ? null : JSON.stringify(namespaces);
    if (isLost) return lost.all(among, after.lostAt ?? 0, after.platform, after.row, ROWS_AT_ONCE);
    const each = platform === undefined ? PLATFORMS : [platform];
    const found = each.flatMap((one) => active.all(among, one, after.row, ROWS_AT_ONCE));
    return found.sort((a, b) => b.row - a.row).slice(0, ROWS_AT_ONCE);
  };

  const list: DeviceStore["list"] = async (filter, { after, limit }) => {
    const isWanted = ({ topics, platform }: Row) =>
      (filter.namespaces === undefined || topics > 0) && (filter.platform ?? platform) === platform;
    const found: Row[] = [];
    const from = after === undefined ? START : byRef.get(after);
    if (from === null) return { devices: [] };
    let at: Place = from;
    let pause = -Infinity;
    let rows: Row[] = [];
    for (let looked = 0; looked < MOST_LOOKED; looked += rows.length) {
      if (clock.monotonic() >= pause) {
        await turn();
        pause = clock.monotonic() + SLICE_MS;
      }
      rows = page(filter, at);
      found.push(...rows.filter(isWanted));
      at = rows.at(-1) ?? at;
      if (found.length > limit || rows.length < ROWS_AT_ONCE) break;
    }
    const devices = found.slice(0, limit).map(({ topics, ...row }) => ({ device: toDevice(row), topics }));
    const last = found.length > limit ? found[limit - 1] : rows.length < ROWS_AT_ONCE ? undefined : (at as Row);
    return { devices, ...(last !== undefined && last.ref !== null && { next: last.ref }) };
  };
  return {
    stored: (ref: string): StoredDevice | undefined => byRef.get(ref) ?? undefined,
    list,
    latestOf: async (topicId: TopicId) => {
      const found = latest.get(topicId);
      return found === null ? undefined : { device: toDevice(found), subscribedAt: found.subscribedAt };
    },
  };
}

/** Gives refs to devices that were registered before refs were kept. */
export function nameDevices({ $client: db }: Orm): void {
  const unnamed = db.prepare<{ row: DeviceRow; id: string }, []>("SELECT row, id FROM device WHERE ref IS NULL");
  const name = db.prepare<unknown, [string, DeviceRow]>("UPDATE device SET ref = ? WHERE row = ?");
  db.transaction(() => {
    for (const { row, id } of unnamed.all()) name.run(deviceRef(id), row);
  })();
}
