/** Minimal bodies of the tools that their mappers recognize, around a part that a test supplies. */
export const alert = (part: Record<string, unknown>): unknown => ({
  groupKey: "k",
  alerts: [{ status: "firing", ...part }],
});
export const beat = (part: Record<string, unknown>, monitor: Record<string, unknown> = {}): unknown => ({
  msg: "[n] [Down] m",
  heartbeat: { status: 0, ...part },
  monitor: { id: 1, name: "n", ...monitor },
});
export const komodo = (type: string, part: Record<string, unknown>): unknown => ({
  target: { type: "Stack", id: "s" },
  data: { type, data: { name: "n", ...part } },
});

export const slack = (part: Record<string, unknown>): unknown => ({ attachments: [{ color: "danger", ...part }] });
export const embed = (part: Record<string, unknown>): unknown => ({ embeds: [{ title: "t", ...part }] });
export const card = (part: Record<string, unknown>): unknown => ({
  type: "AdaptiveCard",
  body: [{ type: "TextBlock", ...part }],
});
export const github = (part: Record<string, unknown>): unknown => ({
  sender: { login: "a", node_id: "n" },
  repository: { full_name: "a/b" },
  ...part,
});
export const check = (part: Record<string, unknown>): unknown => ({
  status: "down",
  n_pings: 1,
  grace: 1,
  last_ping: null,
  ...part,
});
