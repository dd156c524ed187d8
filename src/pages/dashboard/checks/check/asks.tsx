/** @jsxImportSource #jsx */
/** The questions before a check gets another ping URL, or is deleted. */
import type { Check } from "../../../../checks/check.ts";
import { Field } from "../../../elements/field.tsx";
import type { Safe } from "../../../jsx/jsx-runtime.ts";
import { Ask } from "../../ask.tsx";
import type { Desk } from "../../signed-in.ts";
import { pathOf } from "../on-check.ts";

interface AskedCheck {
  desk: Desk;
  check: Check;
}

export const RotateAsk = ({ desk, check, overlap, fault }: AskedCheck & { overlap: string; fault?: string }): Safe => {
  const { checks: texts } = desk.view.texts;
  const { rotate: say } = texts;
  const path = pathOf(check);
  return (
    <Ask
      desk={desk}
      question={say.title(check.standing.settings.name)}
      facts={[{ text: say.text, isNews: true }]}
      action={`${path}/rotate`}
      button={say.go}
      icon="rotate"
      isMild
      keep={{ text: desk.view.texts.shared.keep, to: path }}
    >
      <Field
        view={desk.view}
        label={say.overlap}
        name="overlap"
        value={overlap}
        wrong={fault === undefined ? undefined : texts.form.refused("overlap", fault)}
        hint={say.hint}
      />
    </Ask>
  );
};

export const RemoveAsk = ({
  desk,
  check,
  lines,
  incidents,
}: AskedCheck & { lines: number; incidents: number }): Safe => {
  const { checks: texts } = desk.view.texts;
  const { remove: say } = texts;
  const path = pathOf(check);
  return (
    <Ask
      desk={desk}
      question={desk.view.texts.shared.deleteOf(check.standing.settings.name)}
      facts={[
        { text: say.gone(lines, incidents) },
        { text: say.url },
        ...(check.standing.incident?.isTold === true ? [{ text: say.ends, isNews: true }] : []),
        { text: say.stays(check.topic.name), isNews: true },
      ]}
      action={`${path}/delete`}
      button={say.go}
      keep={{ text: desk.view.texts.shared.keep, to: path }}
    />
  );
};
