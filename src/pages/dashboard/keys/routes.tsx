/** @jsxImportSource #jsx */
/** The page of keys over HTTP: list, make, revoke (WEB.md §3). */
import { Elysia } from "elysia";
import { ConfirmNeeded, requireConfirmed } from "../../../accounts/visitor.ts";
import type { Deps } from "../../../deps.ts";
import { queryOf } from "../../../http/query.ts";
import type { ApiKey } from "../../../keys/key.ts";
import { mintKey } from "../../../keys/mint.ts";
import { ownKey } from "../../../keys/own.ts";
import { pages } from "../../respond.ts";
import { Ask } from "../ask.tsx";
import { atDesk, onDesk, type Desk, UNREAD } from "../desk.ts";
import { deskPath } from "../filter.ts";
import { keyForm, newKeyOf, type KeyForm } from "./form.ts";
import { KeysPage } from "./page.tsx";
import { keyName, keyOf, keysOf, mayRevoke } from "./seen.ts";

type KeyPagesDeps = Parameters<typeof onDesk>[0] & Deps;

export const keyPageRoutes = (deps: KeyPagesDeps) =>
  new Elysia({ prefix: "/-/keys" })
    .use(pages)
    .get(
      "",
      onDesk(deps, async (desk, { request }) => (
        <KeysPage {...await shown(deps, desk)} form={keyForm(queryOf(request), desk)} />
      )),
    )
    .post(
      "",
      atDesk(deps, async (desk, given) => {
        const form = keyForm(given, desk);
        const spec = newKeyOf(form, desk, desk.now);
        if (typeof spec === "string")
          return { page: <KeysPage {...await shown(deps, desk)} form={form} fault={spec} /> };
        if (!isConfirmed(deps, desk)) return { to: toConfirm(desk, form) };
        const made = await mintKey(deps, spec);
        const empty = keyForm(new URLSearchParams(), desk);
        return { page: <KeysPage {...await shown(deps, desk)} form={empty} made={made} />, status: 201 };
      }),
      UNREAD,
    )
    .get(
      "/:id/revoke",
      onDesk<"id">(deps, async (desk, { params }) => {
        const key = await revocable(deps, desk, params.id);
        return key && revokeAsk(desk, key, ownKey(deps)?.id === key.id);
      }),
    )
    .post(
      "/:id/revoke",
      atDesk<"id">(deps, async (desk, _, { params }) => {
        const key = await revocable(deps, desk, params.id);
        if (key === undefined || !(await deps.store.keys.revoke(key.namespaceId, key.id))) return undefined;
        return { to: "/-/keys", flash: { say: "keys.revoked", values: [keyName(desk.view, key)] } };
      }),
      UNREAD,
    );

const shown = async (deps: KeyPagesDeps, desk: Desk) => ({
  desk,
  keys: await keysOf(deps.store.keys, desk),
  own: ownKey(deps),
  isConfirmed: isConfirmed(deps, desk),
});

async function revocable({ store }: KeyPagesDeps, desk: Desk, id: string): Promise<ApiKey | undefined> {
  const key = await keyOf(store.keys, desk, id);
  return key !== undefined && mayRevoke(desk.visitor, key) ? key : undefined;
}

function isConfirmed(deps: KeyPagesDeps, { visitor }: Desk): boolean {
  try {
    requireConfirmed(deps, visitor);
    return true;
  } catch (error) {
    if (error instanceof ConfirmNeeded) return false;
    throw error;
  }
}

/** The form comes back with what was typed. */
function toConfirm(desk: Desk, form: KeyForm): string {
  const to = deskPath(desk, "/-/keys", { ...form });
  return `/-/confirm?${new URLSearchParams({ to }).toString()}`;
}

function revokeAsk(desk: Desk, key: ApiKey, isOwn: boolean) {
  const { ask } = desk.view.texts.keys;
  const facts = [{ text: ask.stops }, ...(isOwn ? [{ text: ask.own }] : []), { text: ask.stays, isNews: true }];
  return (
    <Ask
      desk={desk}
      question={ask.question(keyName(desk.view, key))}
      facts={facts}
      action={`/-/keys/${key.id}/revoke`}
      button={ask.go}
      icon="x"
      keep={{ text: ask.keep, to: "/-/keys" }}
    />
  );
}
