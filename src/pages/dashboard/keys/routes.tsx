/** @jsxImportSource #jsx */
/** The page of keys over HTTP: list, make, revoke (WEB.md §3). */
import { confirmPath, isConfirmed } from "../../../accounts/visitor.ts";
import type { Deps } from "../../../deps.ts";
import { queryOf } from "../../../http/query.ts";
import { handover } from "../../../keys/handover.ts";
import type { ApiKey } from "../../../keys/key.ts";
import { mintKey } from "../../../keys/mint.ts";
import { ownKey } from "../../../keys/own.ts";
import { Ask } from "../ask.tsx";
import { DeskRoutes, isVisit } from "../desk.ts";
import type { Desk } from "../signed-in.ts";
import { deskPath } from "../frame/filter.ts";
import { keyForm, newKeyOf, type KeyForm } from "./form.ts";
import { KeysPage } from "./page.tsx";
import { keyName, keyOf, keysOf, mayRevoke } from "./seen-keys.ts";

/** A page that was left open for longer says nothing of it. */
const JUST_MS = 600_000;

export const keyPageRoutes = (deps: Deps) => {
  const fresh = handover(deps);
  return new DeskRoutes(deps, "/-/keys")
    .page("", "signed in", async ({ desk, request }) => {
      const query = queryOf(request);
      const given = await shown(deps, desk);
      const id = query.get("made");
      const made = isVisit(request) ? fresh.take(desk.visitor.person.id, id) : undefined;
      const isJustMade = ({ createdAt }: ApiKey) => desk.now - createdAt < JUST_MS;
      const before = made === undefined && given.keys.find((key) => key.id === id && isJustMade(key));
      return (
        <KeysPage
          {...given}
          form={keyForm(query, desk)}
          {...(made && { made, desk: { ...desk, view: { ...desk.view, here: undefined } } })}
          {...(before && { shownBefore: before })}
        />
      );
    })
    .form("", "signed in", async ({ desk, form: given }) => {
      const form = keyForm(given, desk);
      const spec = newKeyOf(form, desk, desk.now);
      if (typeof spec === "string") return { page: <KeysPage {...await shown(deps, desk)} form={form} fault={spec} /> };
      if (!isConfirmed(deps, desk.visitor)) return { to: toConfirm(desk, form) };
      const made = await mintKey(deps, spec);
      fresh.leave(desk.visitor.person.id, made);
      return { to: deskPath(desk, "/-/keys", { made: made.key.id }) }; // so that reloading the page makes no second key
    })
    .page("/:id/revoke", "signed in", async ({ desk, params }) => {
      const key = await revocable(deps, desk, params.id);
      return key && revokeAsk(desk, key, ownKey(deps)?.id === key.id);
    })
    .form("/:id/revoke", "signed in", async ({ desk, params }) => {
      const key = await revocable(deps, desk, params.id);
      if (key === undefined || !(await deps.store.keys.revoke(key.namespaceId, key.id))) return undefined;
      return { to: "/-/keys", flash: { say: "keys.revoked", values: [keyName(desk.view, key)] } };
    }).routes;
};

const shown = async (deps: Deps, desk: Desk) => ({
  desk,
  keys: await keysOf(deps.store.keys, desk),
  own: ownKey(deps),
  isConfirmed: isConfirmed(deps, desk.visitor),
});

async function revocable({ store }: Deps, desk: Desk, id: string): Promise<ApiKey | undefined> {
  const key = await keyOf(store.keys, desk, id);
  return key !== undefined && mayRevoke(desk.visitor, key) ? key : undefined;
}

/** After the confirmation, the form shows again what was typed. */
const toConfirm = (desk: Desk, form: KeyForm): string => confirmPath(deskPath(desk, "/-/keys", { ...form }), "form");

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
