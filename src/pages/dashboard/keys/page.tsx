/** @jsxImportSource #jsx */
/** Keys: the list, the form of a new one, and the new one itself, once. */
import { allows, type ApiKey } from "../../../keys/key.ts";
import type { FreshKey } from "../../../keys/mint.ts";
import { Field } from "../../elements/field.tsx";
import { fill } from "../../elements/fill.ts";
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import { Icon } from "../../layout.tsx";
import { Select } from "../../elements/select.tsx";
import { SnippetTabs } from "../../publishing/snippets.tsx";
import { Ago, yearWords } from "../../elements/times.tsx";
import type { Desk } from "../signed-in.ts";
import { deskLink } from "../frame/filter.ts";
import { Desktop } from "../frame/frame.tsx";
import { ENDS, type KeyFault, type KeyForm } from "./form.ts";
import { keyName, mayRevoke, MOST_KEYS, scopesOf } from "./seen-keys.ts";
import { Submit } from "../../elements/submit.tsx";
import { Link } from "../frame/link.tsx";
import { Panel } from "../../elements/panel.tsx";
import { CopyText } from "../../elements/copy-line.tsx";
import { DAY } from "../../../util/clock.ts";

interface KeysProps {
  desk: Desk;
  keys: readonly ApiKey[];
  /** The key of PEAL_ADMIN_KEY. */
  own?: ApiKey | undefined;
  form: KeyForm;
  /** The password was given of late, or none is asked for. */
  isConfirmed: boolean;
  fault?: KeyFault;
  /** Was just made: its secret is on this page and on no other. */
  made?: FreshKey;
  /** A key that was just made, but whose secret cannot be shown again. */
  shownBefore?: ApiKey;
}

export const KeysPage = ({ desk, keys, own, form, isConfirmed, fault, made, shownBefore }: KeysProps): Safe => {
  const { texts } = desk.view;
  const { keys: words } = texts;
  return (
    <Desktop desk={desk} title={texts.desk.entries.keys} current="keys">
      <div class="head">
        <div class="tight">
          <h1>{texts.desk.entries.keys}</h1>
          <p class="soft">{words.lede}</p>
        </div>
      </div>
      {made !== undefined && <MadeKey desk={desk} of={made.key} secret={made.secret} />}
      {shownBefore !== undefined && (
        <div class="note flash info" role="status">
          <Icon view={desk.view} name="info" large />
          <div>
            <p dir="auto">{words.wasShown(keyName(desk.view, shownBefore))}</p>
          </div>
        </div>
      )}
      {desk.namespaces.length === 0 ? (
        <p class="soft">{words.noNamespace}</p>
      ) : (
        <NewKeyForm desk={desk} form={form} isConfirmed={isConfirmed} fault={fault} />
      )}
      {keys.length === 0 ? (
        <div class="empty" {...LIST}>
          <h2>{words.none}</h2>
          {desk.namespaces.length > 0 && <p class="soft">{words.noneText}</p>}
        </div>
      ) : (
        <KeyTable desk={desk} keys={keys.slice(0, MOST_KEYS)} own={own} />
      )}
      {keys.length > MOST_KEYS && <p class="hint">{words.more(MOST_KEYS)}</p>}
    </Desktop>
  );
};

const MadeKey = ({ desk, of: key, secret }: { desk: Desk; of: ApiKey; secret: string }): Safe => {
  const { view } = desk;
  const { keys: words } = view.texts;
  const target = { url: `${view.url}/${key.namespace}/hello`, text: words.hello, secret };
  return (
    <section class="note flash up" aria-labelledby="made">
      <Icon view={view} name="keys" large />
      <div class="stack">
        <div class="tight">
          <h2 id="made" dir="auto">
            {words.ready(keyName(view, key))}
          </h2>
          <p class="soft">{words.once}</p>
        </div>
        <CopyText view={view} text={secret} label={words.copySecret} />
        {allows(key, "publish") ? <SnippetTabs view={view} target={target} /> : <p class="soft">{words.reads}</p>}
        <div>
          <Link desk={desk} to="/-/keys" class="btn main" icon="check" words={words.copied} />
        </div>
      </div>
    </section>
  );
};

const NewKeyForm = ({
  desk,
  form,
  isConfirmed,
  fault,
}: Pick<KeysProps, "desk" | "form" | "isConfirmed"> & { fault: KeyFault | undefined }): Safe => {
  const { view, visitor, namespaces } = desk;
  const { keys: words } = view.texts;
  const wrong = (field: KeyFault) => (fault === field ? words.fault[field] : undefined);
  return (
    <Panel heading="new" title={words.new}>
      <form class="in" method="post" action={deskLink(desk, "/-/keys")}>
        <div class="halves three">
          <Field
            view={view}
            label={words.label}
            name="label"
            value={form.label}
            autocomplete="off"
            placeholder={words.labelHint}
            wrong={wrong("label")}
            isOptional
            autofocus={fault === "label"}
          />
          <Select
            view={view}
            label={words.may}
            name="scope"
            chosen={form.scope}
            choices={scopesOf(visitor).map((scope) => [scope, words.scopeChoice[scope]])}
            wrong={wrong("scope")}
          />
          <Select
            view={view}
            label={view.texts.shared.namespace}
            name="namespace"
            chosen={form.namespace}
            choices={namespaces.map(({ name }) => [name, name])}
            wrong={wrong("namespace")}
          />
          <Select
            view={view}
            label={words.ends}
            name="ends"
            chosen={form.ends}
            choices={ENDS.map((ends) => [ends, words.endsChoice[ends]])}
            wrong={wrong("ends")}
          />
        </div>
        <div class="line">
          <Submit view={view} icon="plus" class="btn main" words={words.make} />
          {!isConfirmed && <span class="hint">{words.password}</span>}
        </div>
      </form>
    </Panel>
  );
};

/** Rendered even if there is none yet. */
const LIST = { id: "list", "data-live": "key namespace" };

const KeyTable = ({ desk, keys, own }: { desk: Desk; keys: readonly ApiKey[]; own: ApiKey | undefined }): Safe => {
  const { head } = desk.view.texts.keys;
  return (
    <section class="panel" aria-label={desk.view.texts.desk.entries.keys} {...LIST}>
      <table class="tbl" role="table">
        <thead role="rowgroup">
          <tr role="row">
            {[head.key, head.may, head.used, head.expires].map((name) => (
              <th scope="col" role="columnheader">
                {name}
              </th>
            ))}
            <th scope="col" role="columnheader">
              <span class="sr">{head.action}</span>
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {keys.map((key) => (
            <KeyRow desk={desk} of={key} isOwn={key.id === own?.id} />
          ))}
        </tbody>
      </table>
    </section>
  );
};

/** A key that nobody has used for this long is shown as one to revoke. */
const IDLE_MS = 90 * DAY;

const KeyRow = ({ desk, of: key, isOwn }: { desk: Desk; of: ApiKey; isOwn: boolean }): Safe => {
  const { view, visitor, now } = desk;
  const { keys: words } = view.texts;
  const { expiresAt, lastUsedAt, lastUsedFrom } = key;
  const name = keyName(view, key);
  return (
    <tr role="row">
      <th scope="row" role="rowheader">
        <span dir="auto">{key.name ?? words.nameless}</span>
        <span class="sub">
          <code>{key.prefix}…</code>, {fill(words.made, yearWords(view, key.createdAt))}
          {isOwn && `, ${words.own}`}
        </span>
      </th>
      <Cell label={words.head.may}>
        {words.scope[key.scope]}
        <span class="sub">{words.inNamespace(key.namespace)}</span>
      </Cell>
      <Cell label={words.head.used}>
        {lastUsedAt === undefined ? (
          words.never
        ) : (
          <>
            <Ago view={view} at={lastUsedAt} />
            {lastUsedFrom !== undefined && from(words, lastUsedFrom)}
          </>
        )}
        {now - (lastUsedAt ?? key.createdAt) > IDLE_MS && <span class="sub">{words.idle}</span>}
      </Cell>
      <Cell label={words.head.expires}>
        {expiresAt === undefined
          ? words.never
          : expiresAt > now
            ? yearWords(view, expiresAt)
            : fill(words.ended, yearWords(view, expiresAt))}
      </Cell>
      <td role="cell" class="end-t">
        {mayRevoke(visitor, key) ? (
          <a
            class="btn risk bare"
            href={deskLink(desk, `/-/keys/${key.id}/revoke`)}
            aria-label={words.revokeName(name)}
          >
            {words.revoke}
          </a>
        ) : (
          <span class="hint">{words.adminOnly}</span>
        )}
      </td>
    </tr>
  );
};

/** `local`: over the socket of the data directory. */
const from = (words: Desk["view"]["texts"]["keys"], address: string): string =>
  address === "local" ? `, ${words.command}` : words.from(address);

const Cell = ({ label, children }: { label: string; children?: Child }): Safe => (
  <td role="cell" data-l={label}>
    <div>{children}</div>
  </td>
);
