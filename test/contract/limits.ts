/** The limits of each field (API.md §3): the largest value that is accepted, and one over. */

const DAY = 86_400;
const url = (length: number) => `https://h/${"a".repeat(length - "https://h/".length)}`;
export const action = (fields: object = {}) => ({ label: "Open", url: "https://h/", ...fields });
const bytes = (n: number) => ({ d: "x".repeat(n - '{"d":""}'.length) });

export type Limit = [field: string, fits: unknown[], refused: unknown[], path?: string];
// prettier-ignore
export const LIMITS: Limit[] = [
  ["message",  ["x", "x".repeat(32_768), "ü".repeat(16_384)], ["", "x".repeat(32_769), `${"ü".repeat(16_384)}x`, 1, null, ["m"], "a\0b", "\ud800", "\x07"]],
  ["title",    ["", "x".repeat(256), "🎉".repeat(256)], ["x".repeat(257), "🎉".repeat(257), 1, null, "\udc00", "\0"]],
  ["level",    ["info", "success", "warning", "error"], ["fatal", "INFO", "", 1, null, {}]],
  ["priority", ["low", "normal", "high", "urgent"], ["max", 5, "", null]],
  ["tags",     [[], Array(16).fill("t"), ["x".repeat(32)], ["🎉".repeat(32)]], [Array(17).fill("t"), "t", {}, null]],
  ["tags",     [], [["x".repeat(33)], [1], [null], ["\0"]], "/tags/0"],
  ["url",      ["http://h", "https://h", "mailto:a@b", "tel:+49", url(2_048)], [url(2_049), "h", "/a", "javascript:alert(1)", "ftp://h", "data:,x", "", 1, null, "https://", "\0https://h"]],
  ["image",    ["http://h/a.png", "https://h/a.png", url(2_048)], [url(2_049), "mailto:a@b", "data:image/png;base64,", "", 1, null]],
  ["actions",  [[], [action(), action(), action()]], [[action(), action(), action(), action()], {}, "view", null]],
  ["actions",  [], [[1], ["a"], [null]], "/actions/0"],
  ["actions",  [[action({ label: "x".repeat(40) })]], [[action({ label: "" })], [action({ label: "x".repeat(41) })], [action({ label: "\x07" })], [{ url: "https://h/" }]], "/actions/0/label"],
  ["actions",  [[action({ url: "tel:1" })], [action({ url: url(2_048) })]], [[action({ url: url(2_049) })], [action({ url: "javascript:1" })], [action({ url: "tel:1", method: "POST" })], [{ label: "x" }]], "/actions/0/url"],
  ["actions",  [[action({ method: "POST" })], [action({ method: "GET" })]], [[action({ method: "post" })], [action({ method: "CONNECT" })], [action({ method: 1 })]], "/actions/0/method"],
  ["format",   ["text", "markdown"], ["html", "", 1, null]],
  ["dedup_key", ["", "x".repeat(128), "🎉".repeat(128)], ["x".repeat(129), 1, null]],
  ["delay",    [0, 1, 30 * DAY, 5.0], [-1, 30 * DAY + 1, 0.5, "5", null]],
  ["ttl",      [60, 30 * DAY], [59, 30 * DAY + 1, 60.5, "60", null]],
  ["ack",      [false], [true, "true", 1, null]],
  ["timestamp", ["2026-01-01T00:00:00Z", "2024-02-29T00:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"], ["2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:00+24:00", "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "now", 0, null]],
  ["data",     [{}, { a: [1, { b: null }] }, bytes(4_096), { "\\u0000": "\\ud800" }], [bytes(4_097), [], "{}", 1, null, { a: "\0" }, { "\ud800": 1 }]],
];

/** Fields that only make sense together, with those that are refused. */
// prettier-ignore
export const TOGETHER: [string, object, string[]][] = [
  ["status needs a dedup_key",       { status: "firing" },                    ["/status"]],
  ["an empty dedup_key is none",     { status: "firing", dedup_key: "" },     ["/status"]],
  ["status with its key",            { status: "resolved", dedup_key: "k" },  []],
  ["ack only with urgent",           { ack: true, priority: "high" },         ["/ack"]],
  ["ack with urgent",                { ack: true, priority: "urgent" },       []],
  ["delay and at are two answers",   { delay: 1, at: "2026-01-02T00:00:00Z" }, ["/delay"]],
];

/** One row for each value, with its form in a test's name and the fields that are refused. */
export const rowsOf = (limits: readonly Limit[]) =>
  limits.flatMap(([field, fits, refused, path = `/${field}`]) => [
    ...fits.map((value): Row => [field, shown(value), "fits", value, []]),
    ...refused.map((value): Row => [field, shown(value), "is refused", value, [path]]),
  ]);
type Row = [field: string, shown: string, told: string, value: unknown, refused: string[]];
const shown = (value: unknown) => JSON.stringify(value).replace(/(.{40}).{40,}/, "$1…");
