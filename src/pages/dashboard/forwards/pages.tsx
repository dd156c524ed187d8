/** @jsxImportSource #jsx */
/** The pages that lead to a forward: which service, then where it sends; the same fields again to change that. */
import type { Kind } from "../../../delivery/forwards/kind.ts";
import { said } from "../../../rewrites/tool-setup.ts";
import type { Topic } from "../../../topics/topic.ts";
import { type Faults, Field } from "../../elements/field.tsx";
import { Said } from "../../elements/said.tsx";
import { Select } from "../../elements/select.tsx";
import { Submit } from "../../elements/submit.tsx";
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import { nameOf } from "../devices/device-words.tsx";
import { NEW_FORWARD, PATH, pathOf, type SeenDevice } from "../devices/seen-device.ts";
import { deskLink } from "../frame/filter.ts";
import { Desktop } from "../frame/frame.tsx";
import { Link } from "../frame/link.tsx";
import type { Desk } from "../signed-in.ts";
import { KindFields } from "./fields.tsx";

/** What was typed into a form, with its faults in words. */
export interface Filled {
  given: URLSearchParams;
  faults?: Faults | undefined;
}

/** `topic`: the key of the one to forward; empty if it is not known yet. */
export const KindsPage = ({ desk, kinds, topic }: { desk: Desk; kinds: readonly Kind[]; topic: string }): Safe => {
  const { view } = desk;
  const { forwards: words } = view.texts;
  return (
    <Desktop desk={desk} title={words.add} current="devices">
      <Head desk={desk} title={words.add} lede={words.lede} />
      <section class="panel" aria-label={words.services}>
        <ul class="rows">
          {kinds.map(({ name, title }) => (
            <li class="row">
              <div>
                <a class="name" href={deskLink(desk, NEW_FORWARD, { kind: name, topic: topic || undefined })}>
                  <Said view={view} words={title} />
                </a>
                <p class="sub">{words.about.get(name)}</p>
              </div>
            </li>
          ))}
        </ul>
      </section>
    </Desktop>
  );
};

type NewProps = Filled & {
  desk: Desk;
  kind: Kind;
  /** To choose from; absent: there are too many. */
  topics: readonly Topic[] | undefined;
};

export const NewForwardPage = ({ desk, kind, topics, given, faults = new Map() }: NewProps): Safe => {
  const { view } = desk;
  const { forwards: words } = view.texts;
  const title = words.newOne(said(kind.title, view.language));
  if (topics?.length === 0)
    return (
      <Desktop desk={desk} title={title} current="devices">
        <Head desk={desk} title={title} lede={words.about.get(kind.name)} />
        <div class="empty">
          <h2>{words.noTopicYet}</h2>
          <Link desk={desk} to="/-/topics/new" class="btn main" icon="plus" words={view.texts.topics.newOne} />
        </div>
      </Desktop>
    );
  const topic = { view, label: words.topic, name: "topic", wrong: faults.get("topic") };
  return (
    <Desktop desk={desk} title={title} current="devices">
      <Head desk={desk} title={title} lede={words.about.get(kind.name)} />
      <form class="panel" method="post" action={deskLink(desk, NEW_FORWARD)}>
        <div class="in stack">
          <input type="hidden" name="kind" value={kind.name} />
          {topics === undefined ? (
            <Field {...topic} value={given.get("topic")} hint={words.topicHint} />
          ) : (
            <Select
              {...topic}
              choices={topics.map(({ key, namespace, name }) => [key, `${namespace} / ${name}`])}
              chosen={given.get("topic") ?? ""}
            />
          )}
          <KindFields {...{ view, kind, given, faults }} />
          <Field
            {...{ view, label: view.texts.shared.name, name: "name", hint: words.nameHint, value: given.get("name") }}
            wrong={faults.get("name")}
            maxlength={100}
            isOptional
          />
          <div class="line">
            <Submit class="btn main" words={words.create} />
            <Link desk={desk} to={PATH} class="btn bare" words={view.texts.shared.cancel} />
          </div>
        </div>
      </form>
    </Desktop>
  );
};

type ChangeProps = Filled & { desk: Desk; seen: SeenDevice; kind: Kind };

export const ChangePage = ({ desk, seen, kind, given, faults = new Map() }: ChangeProps): Safe => {
  const { view } = desk;
  const title = view.texts.forwards.changeOf(nameOf(view.texts, seen.device));
  return (
    <Desktop desk={desk} title={title} current="devices">
      <Head desk={desk} title={title} />
      <form class="panel" method="post" action={deskLink(desk, `${pathOf(seen)}/forward`)}>
        <div class="in stack">
          <KindFields {...{ view, kind, given, faults }} set={seen.device.forward?.secrets ?? []} />
          <div class="line">
            <Submit class="btn main" words={view.texts.shared.save} />
            <Link desk={desk} to={pathOf(seen)} class="btn bare" words={view.texts.shared.cancel} />
          </div>
        </div>
      </form>
    </Desktop>
  );
};

const Head = ({ desk, title, lede }: { desk: Desk; title: string; lede?: Child }): Safe => (
  <div class="head">
    <div>
      <p class="crumb">
        <a href={deskLink(desk, PATH)}>{desk.view.texts.desk.entries.devices}</a>
      </p>
      <h1 dir="auto">{title}</h1>
      {lede !== undefined && <p class="soft">{lede}</p>}
    </div>
  </div>
);
