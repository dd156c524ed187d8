/** The longest names that people, programs and devices can have, and the pages that show them. */
import type { TestCheck } from "../support/checks.ts";
import { apnsToken, register } from "../support/devices.ts";
import { asked } from "../support/household-steps.ts";
import type { TestServer } from "../support/server.ts";
import type { ListedPage } from "./everypage.ts";

const WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(3);
const HOST = `https://${"long.".repeat(20)}example`;
const TABLE = `| ${"column | ".repeat(20)}\n|${"-|".repeat(20)}\n| ${"value | ".repeat(20)}`;

const MESSAGES = [
  { title: WORD.slice(0, 256), message: WORD, level: "error", priority: "urgent", dedup_key: "a", status: "firing" },
  { title: "again", message: WORD, level: "warning", dedup_key: "a", status: "firing", tags: [WORD.slice(0, 32)] },
  { message: "a    b\n".repeat(40), level: "success", url: `${HOST}/`, priority: "low" },
  {
    message: `# Head\n\n${TABLE}\n\n\`\`\`\n${WORD}\n\`\`\`\n\n> quote ${WORD}`,
    format: "markdown",
    timestamp: "2026-01-01T00:00:00Z",
  },
  {
    message: "x",
    image: `${HOST}/1.jpg`,
    tags: Array.from({ length: 16 }, (_, i) => `${WORD.slice(0, 28)}${i}`),
    actions: [
      { label: WORD.slice(0, 40), url: "https://e.example/" },
      { label: WORD.slice(0, 40), url: `https://e.example/${WORD}`, method: "POST" },
    ],
  },
];

/** Makes all of them in `home`. */
export async function overlong(peal: TestServer): Promise<ListedPage[]> {
  const name = "N".repeat(64);
  let key = "";
  for (const message of MESSAGES) key = (await asked<{ topic: string }>(peal, "POST", `/home/${name}`, message)).topic;
  await asked(peal, "PATCH", `/v1/home/${key}`, { description: WORD });
  const check = await asked<TestCheck>(peal, "POST", "/v1/home/checks", {
    ...{ name: "wide".repeat(20), cron: "0 4 * * *", timezone: "America/Argentina/Buenos_Aires" },
    ...{ topic: name, tags: ["a".repeat(30)] },
  });
  await peal.request(`${new URL(check.ping_url).pathname}/1`, { method: "POST", body: WORD });
  const followed = { namespace: "home", key, name, url: peal.url };
  const device = await register(peal, { platform: "ios", token: apnsToken(), name: "W".repeat(60) }, [followed]);
  const minted = { name: "W".repeat(60), scope: "publish" };
  const { id } = await asked<{ id: string }>(peal, "POST", "/v1/keys?namespace=home", minted);

  const feed = `/home/${name}/${key}`;
  const admin = (page: string, path: string): ListedPage => ({ name: `long-${page}`, path, as: "admin" });
  return [
    { name: "long-feed", path: feed },
    { name: "long-feed-older", path: `${feed}?before=3` },
    { name: "long-feed-nothing", path: `${feed}?tag=${WORD.slice(0, 32)}&q=${encodeURIComponent(WORD.slice(0, 100))}` },
    ...["", "publish", "share", "devices", "settings", "mute", "delete", "replace"].map((tab) =>
      admin(`topic-${tab}`, `/-/topics/${key}${tab === "" ? "" : `/${tab}`}`),
    ),
    ...["", "edit", "rotate", "delete"].map((tab) =>
      admin(`check-${tab}`, `/-/checks/${check.id}${tab === "" ? "" : `/${tab}`}`),
    ),
    admin("device", `/-/devices/${device.ref}`),
    admin("device-delete", `/-/devices/${device.ref}/delete`),
    admin("key-revoke", `/-/keys/${id}/revoke`),
  ];
}
