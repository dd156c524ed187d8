/** @jsxImportSource #jsx */
/** The form of a hook's map: its templates, and what values mean. */
import type { Hook } from "../../../hooks/hook.ts";
import { Field, Labelled, type Faults } from "../../elements/field.tsx";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { deskLink } from "../frame/filter.ts";
import type { Desk } from "../signed-in.ts";
import { MARK, StaleNote } from "../stale.tsx";
import { pathOf } from "./on-hook.ts";
import { Submit } from "../../elements/submit.tsx";
import { Link } from "../frame/link.tsx";

/** The most that is typed into one field. */
const MAX_CHARACTERS = 4_000;

export interface MapFormProps {
  desk: Desk;
  hook: Hook;
  /** The form as it was filled in. */
  given: URLSearchParams;
  faults?: Faults;
}

export const MapForm = (props: MapFormProps): Safe => {
  const { desk, hook, faults } = props;
  const { view } = desk;
  const { map: say } = view.texts.hooks;
  const { level } = view.texts.topics.publish;
  const field = fields(props);
  const [path, back] = [pathOf(hook, "/map"), pathOf(hook)];
  return (
    <form class="panel" id="map" method="post" action={deskLink(desk, path)} aria-labelledby="fields">
      <header>
        <h2 id="fields">{view.texts.hooks.settings.map}</h2>
      </header>
      <div class="in">
        <input type="hidden" name={MARK} value={props.given.get(MARK)} />
        {faults?.has(MARK) === true && <StaleNote desk={desk} to={path} />}
        {faults?.has("") === true && (
          <p class="wrong" role="alert">
            {faults.get("")}
          </p>
        )}
        {field("title", say.useAs.title, say.titleHint)}
        {field("text", say.useAs.text, undefined, 3)}
        {field("level", level, say.levelHint)}
        {field("level_is", say.isOf.level, say.isHint, 2)}
        {field("link", say.useAs.link, say.linkHint)}
        {field("key", say.useAs.key, say.keyHint)}
        {field("resolved", say.resolved, say.resolvedHint)}
        {field("resolved_in", say.resolvedIn, say.resolvedInHint, 2)}
        <details class="past" open={MORE.some((name) => faults?.has(name) === true || props.given.has(name))}>
          <summary>{say.more}</summary>
          <div class="stack">
            {field("priority", view.texts.shared.priority, say.priorityHint)}
            {field("priority_is", say.isOf.priority, say.priorityIsHint, 2)}
            {field("tags", view.texts.shared.tags, view.texts.shared.tagsHint)}
          </div>
        </details>
        <div class="line">
          <Submit class="btn main" words={view.texts.shared.save} />
          <Submit name="preview" value="1" words={say.preview} />
          <Link desk={desk} to={back} class="btn bare" words={view.texts.shared.cancel} />
        </div>
      </div>
    </form>
  );
};

const MORE = ["priority", "priority_is", "tags"];

/** A field by its name; of several lines where `rows` says so. */
const fields =
  ({ desk: { view }, given, faults }: MapFormProps) =>
  (name: string, label: string, hint?: string, rows?: number): Safe => {
    const labelled = { view, label, name, hint, wrong: faults?.get(name) };
    const value = given.get(name) ?? "";
    return rows === undefined ? (
      <Field {...labelled} value={value} isOptional maxlength={MAX_CHARACTERS} />
    ) : (
      <Labelled {...labelled}>
        {(tied) => (
          <textarea {...tied} rows={rows} dir="auto" spellcheck="false" maxlength={MAX_CHARACTERS}>
            {value}
          </textarea>
        )}
      </Labelled>
    );
  };
