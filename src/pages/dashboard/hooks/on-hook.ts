/** Pages of one hook: a 404 page if there is none that the visitor may see. */
import type { Deps } from "../../../deps.ts";
import type { DialectName, Hook } from "../../../hooks/hook.ts";
import { hookJson } from "../../../hooks/json.ts";
import type { Tokens } from "../../../tokens/tokens.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import type { Texts } from "../../texts/texts.ts";
import { type Again, atDesk, type Done, onDesk, type PageContext, type Visitors } from "../desk.ts";
import type { Desk } from "../signed-in.ts";
import { seenTopic } from "../seen-topic.ts";
import { topicPath } from "../topics/glance.ts";

export type GivenDeps = Parameters<typeof onDesk>[0] & Pick<Deps, "store" | "clock" | "config" | "log" | "rendering">;
export type HookPagesDeps = GivenDeps & { tokens: () => Promise<Tokens> };

type Context = PageContext<"key" | "id">;

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

/** GET of a page of a hook. */
export const onHook = (
  deps: HookPagesDeps,
  who: Visitors,
  page: (desk: Desk, hook: Hook, context: Context) => Safe | Promise<Safe>,
) =>
  onDesk<"key" | "id">(deps, who, async (desk, context) => {
    const hook = await seenHook(deps, desk, context);
    return hook && page(desk, hook, context);
  });

/** POST of a form that does something to a hook. */
export const atHook = (
  deps: HookPagesDeps,
  who: Visitors,
  act: (desk: Desk, hook: Hook, form: URLSearchParams, context: Context) => Promise<Done | Again | undefined>,
) =>
  atDesk<"key" | "id">(deps, who, async (desk, form, context) => {
    const hook = await seenHook(deps, desk, context);
    return hook && act(desk, hook, form, context);
  });

async function seenHook(
  deps: Pick<Deps, "store">,
  desk: Desk,
  { params: { key, id } }: Context,
): Promise<Hook | undefined> {
  const topic = await seenTopic(deps, desk, key);
  const hook = topic && (await deps.store.hooks.find(topic.namespaceId, id));
  return hook?.topic.id === topic?.id ? hook : undefined;
}
