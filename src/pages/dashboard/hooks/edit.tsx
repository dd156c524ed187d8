/** @jsxImportSource #jsx */
/** The settings of a hook in a form. */
import { DIALECTS, type Hook } from "../../../hooks/hook.ts";
import { type Faults, Field, Labelled } from "../../elements/field.tsx";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Select } from "../../elements/select.tsx";
import type { Desk } from "../signed-in.ts";
import { deskLink } from "../frame/filter.ts";
import { Desktop } from "../frame/frame.tsx";
import { MARK, markOf, StaleNote } from "../stale.tsx";
import { defaultsIn, linesOf } from "./defaults.ts";
import { HookHead } from "./page.tsx";
import { DIALECT_TITLES, nameOf, pathOf } from "./on-hook.ts";
import { Submit } from "../../elements/submit.tsx";
import { Link } from "../frame/link.tsx";

/** Characters of all lines. */
const MAX_DEFAULTS = 20_000;

/** The form as the hook is. */
export function formOf({ settings }: Pick<Hook, "settings">): URLSearchParams {
  const { name = "", as, get, isForgetful, defaults } = settings;
  const form = new URLSearchParams({ name, as: as ?? "", defaults: linesOf(defaults) });
  if (get === true) form.set("get", "on");
  if (isForgetful !== true) form.set("capture", "on");
  form.set(MARK, markOf(form));
  return form;
}

/** The body of the API's PATCH; or the line of the defaults that is none. */
export function patchOf(form: URLSearchParams) {
  const read = defaultsIn(form.get("defaults") ?? "");
  if ("wrong" in read) return read;
  return {
    body: {
      name: (form.get("name") ?? "").trim() || null,
      as: form.get("as") || null,
      get: form.has("get"),
      keep_requests: form.has("capture"),
      defaults: read.defaults,
    },
  };
}

export const EditPage = ({
  desk,
  hook,
  given,
  faults,
}: {
  desk: Desk;
  hook: Hook;
  given: URLSearchParams;
  faults?: Faults;
}): Safe => {
  const { view } = desk;
  const { form: say } = view.texts.hooks;
  const title = view.texts.shared.settingsOf(nameOf(view.texts, hook));
  return (
    <Desktop desk={desk} title={title} current="topics">
      <HookHead desk={desk} hook={hook} title={title} />
      <form class="panel" method="post" action={deskLink(desk, pathOf(hook, "/edit"))}>
        <div class="in stack">
          <input type="hidden" name={MARK} value={given.get(MARK)} />
          {faults?.has(MARK) === true && <StaleNote desk={desk} to={pathOf(hook, "/edit")} />}
          <div class="halves">
            <Field
              {...{ view, label: view.texts.shared.name, name: "name", hint: say.nameHint, value: given.get("name") }}
              wrong={faults?.get("name")}
              isOptional
              maxlength={100}
            />
            <Select
              {...{ view, label: say.as, name: "as", hint: say.asHint, chosen: given.get("as") ?? "" }}
              choices={[["", say.anything], ...DIALECTS.map((name) => [name, DIALECT_TITLES[name]] as const)]}
            />
          </div>
          <Labelled
            {...{ view, label: say.defaults, name: "defaults", hint: say.defaultsHint }}
            wrong={faults?.get("defaults")}
          >
            {(tied) => (
              <textarea {...tied} rows={3} dir="auto" spellcheck="false" maxlength={MAX_DEFAULTS}>
                {given.get("defaults") ?? ""}
              </textarea>
            )}
          </Labelled>
          <Box name="capture" label={say.capture} hint={say.captureHint} isSet={given.has("capture")} />
          <Box name="get" label={say.get} hint={say.getHint} isSet={given.has("get")} />
          <div class="line">
            <Submit class="btn main" words={view.texts.shared.save} />
            <Link desk={desk} to={pathOf(hook)} class="btn bare" words={view.texts.shared.cancel} />
          </div>
        </div>
      </form>
    </Desktop>
  );
};

const Box = ({ name, label, hint, isSet }: { name: string; label: string; hint: string; isSet: boolean }): Safe => (
  <div class="tight">
    <label class="pick">
      <input type="checkbox" name={name} checked={isSet} aria-describedby={`${name}-h`} autocomplete="off" />
      {label}
    </label>
    <p class="hint" id={`${name}-h`}>
      {hint}
    </p>
  </div>
);
