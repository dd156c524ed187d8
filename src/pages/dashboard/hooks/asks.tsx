/** @jsxImportSource #jsx */
/** The questions before a hook gets another URL, or is deleted. */
import type { Hook } from "../../../hooks/hook.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Select } from "../../elements/select.tsx";
import { Ask } from "../ask.tsx";
import type { Desk } from "../signed-in.ts";
import { nameOf, pathOf } from "./on-hook.ts";

interface Asked {
  desk: Desk;
  hook: Hook;
}

export const RotateAsk = ({ desk, hook }: Asked): Safe => {
  const { hooks: texts } = desk.view.texts;
  const { rotate: say } = texts;
  return (
    <Ask
      desk={desk}
      question={say.title(nameOf(desk.view.texts, hook))}
      facts={[{ text: say.text, isNews: true }]}
      action={pathOf(hook, "/rotate")}
      button={say.go}
      icon="rotate"
      isMild
      keep={{ text: desk.view.texts.shared.keep, to: pathOf(hook) }}
    >
      <Select
        {...{ view: desk.view, label: say.old, name: "old", chosen: "" }}
        choices={[
          ["", say.day],
          ["now", say.now],
        ]}
      />
    </Ask>
  );
};

/** `kept`: requests that go with it. */
export const RemoveAsk = ({ desk, hook, kept }: Asked & { kept: number }): Safe => {
  const { hooks: texts } = desk.view.texts;
  const { remove: say } = texts;
  return (
    <Ask
      desk={desk}
      question={desk.view.texts.shared.deleteOf(nameOf(desk.view.texts, hook))}
      facts={[
        { text: say.url },
        ...(kept > 0 ? [{ text: say.requests(kept) }] : []),
        { text: say.stays(hook.topic.name), isNews: true },
      ]}
      action={pathOf(hook, "/delete")}
      button={say.go}
      keep={{ text: desk.view.texts.shared.keep, to: pathOf(hook) }}
    />
  );
};
