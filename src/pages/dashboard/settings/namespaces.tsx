/** @jsxImportSource #jsx */
/** Namespaces: the list, a new one, and what is asked before one is deleted. */
import type { Namespace } from "../../../keys/namespace.ts";
import type { NamespaceExtent } from "../../../keys/namespaces.ts";
import { COUNTED } from "../../../store/glances.ts";
import { Field } from "../../elements/field.tsx";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Ask } from "../ask.tsx";
import type { Desk } from "../signed-in.ts";
import { deskLink } from "../frame/filter.ts";
import type { ServerGathered } from "./gather.ts";
import { Panel } from "../../elements/panel.tsx";
import { Row } from "./section.tsx";
import { Submit } from "../../elements/submit.tsx";

/** A new name that cannot be used. */
export interface NameFault {
  name: string;
  words: string;
}

interface NamespacesProps {
  desk: Desk;
  server: Pick<ServerGathered, "sizes">;
  fault?: NameFault | undefined;
}

export const NamespacesPanel = ({ desk, server: { sizes }, fault }: NamespacesProps): Safe => {
  const { view, namespaces } = desk;
  const { namespaces: words } = view.texts.settings;
  return (
    <Panel id="namespaces" title={words.title}>
      {namespaces.length === 0 && <p class="in soft">{words.none}</p>}
      <ul class="rows" id="namespace-rows" data-live="namespace topic key">
        {namespaces.map(({ id, name }) => (
          <Row
            name={name}
            sub={words.size(sizes.get(id) ?? { topics: 0, checks: 0, keys: 0 })}
            end={
              <a
                class="btn risk bare"
                href={deskLink(desk, `/-/settings/namespaces/${name}/delete`)}
                aria-label={words.removeName(name)}
              >
                {words.remove}
              </a>
            }
          />
        ))}
      </ul>
      <form class="in" method="post" action={deskLink(desk, "/-/settings/namespaces")}>
        <Field
          view={view}
          label={words.new}
          name="namespace"
          value={fault?.name}
          autocomplete="off"
          wrong={fault?.words}
          autofocus={fault !== undefined}
          hint={words.nameHint}
        />
        <div>
          <Submit view={view} icon="plus" words={words.add} />
        </div>
      </form>
    </Panel>
  );
};

interface AskProps {
  desk: Desk;
  namespace: Namespace;
  extent: NamespaceExtent;
  /** What was typed instead of its name. */
  typed: string | undefined;
}

export const DeleteNamespaceAsk = ({ desk, namespace: { name }, extent, typed }: AskProps): Safe => {
  const { namespaces: words } = desk.view.texts.settings;
  const { topics, messages, checks, keys, subscriptions, hasOwnKey } = extent;
  const facts = [
    {
      text: (
        <>
          <strong>{words.messages(messages, messages >= COUNTED)}</strong>
          {words.inTopics(topics)}
        </>
      ),
    },
    { text: words.links },
    ...(subscriptions > 0 ? [{ text: words.subscriptions(subscriptions, subscriptions >= COUNTED) }] : []),
    ...(checks > 0 ? [{ text: words.checks(checks) }] : []),
    ...(keys > 0 ? [{ text: words.keys(keys) }] : []),
    ...(hasOwnKey ? [{ text: words.ownKey }] : []),
    { text: words.people, isNews: true },
    { text: words.free, isNews: true },
  ];
  return (
    <Ask
      desk={desk}
      question={words.question(name)}
      lede={desk.view.texts.shared.noUndo}
      facts={facts}
      action={`/-/settings/namespaces/${name}/delete`}
      name={{ value: name, ...(typed !== undefined && { typed }) }}
      button={words.go(name)}
      keep={{ text: words.keep, to: "/-/settings#namespaces" }}
    />
  );
};
