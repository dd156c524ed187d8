/** What the pages of hooks have in common. */
import type { Deps } from "../../../deps.ts";
import type { DialectName, Hook } from "../../../hooks/hook.ts";
import { hookJson } from "../../../hooks/json.ts";
import type { Tokens } from "../../../tokens/tokens.ts";
import type { Texts } from "../../texts/texts.ts";
import { type DeskDeps, DeskRoutes } from "../desk.ts";
import type { Desk } from "../signed-in.ts";
import { seenTopic } from "../seen-topic.ts";
import { topicPath } from "../topics/glance.ts";

export type GivenDeps = DeskDeps & Pick<Deps, "log" | "rendering">;
export type HookPagesDeps = GivenDeps & { tokens: () => Promise<Tokens> };

export const pathOf = ({ id, topic }: Pick<Hook, "id" | "topic">, act = ""): string =>
  topicPath(topic, `/hooks/${id}${act}`);
export const nameOf = ({ hooks: say }: Texts, { settings }: Pick<Hook, "settings">): string =>
  settings.name ?? say.unnamed;

/** The names of the tools, in every language. */
export const DIALECT_TITLES: Readonly<Record<DialectName, string>> = {
  slack: "Slack",
  discord: "Discord",
  github: "GitHub",
  gotify: "Gotify",
  apprise: "Apprise",
};

/** The addresses of a hook, for people who may change it. */
export interface HookUrls {
  url: string;
  others: readonly (readonly [name: keyof Texts["hooks"]["dialects"], text: string])[];
}

/** Undefined: the server has lost the secret that they are made of. */
export async function urlsOf(
  { tokens }: Pick<HookPagesDeps, "tokens">,
  { view, now }: Desk,
  hook: Hook,
): Promise<HookUrls | undefined> {
  const shown = hookJson(hook, { now, base: view.url, tokens: await tokens() });
  const { url, discord_url: discord, apprise_url: apprise, gotify_token: gotify } = shown;
  if (url === undefined || discord === undefined || apprise === undefined || gotify === undefined) return undefined;
  return {
    url,
    others: [
      ["slack", `${url}/slack`],
      ["discord", discord],
      ["github", `${url}/github`],
      ["gotifyServer", view.url],
      ["gotifyToken", gotify],
      ["apprise", apprise],
    ],
  };
}

/** Pages and forms of one hook. */
export const hookRoutes = (deps: HookPagesDeps) =>
  new DeskRoutes(deps, "/-/topics/:key/hooks/:id", async ({ desk, params: { key, id } }) => {
    const topic = await seenTopic(deps, desk, key);
    const hook = topic && (await deps.store.hooks.find(topic.namespaceId, id));
    return hook?.topic.id === topic?.id && hook ? { hook } : undefined;
  });
