/** @jsxImportSource #jsx */
/** The question before everything is muted: urgent messages are silent too. */
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Ask } from "../ask.tsx";
import type { Desk } from "../signed-in.ts";
import { MUTE_CHOICES } from "./mutes.ts";

export const AskMuteAll = ({ desk }: { desk: Desk }): Safe => {
  const { mute } = desk.view.texts.settings;
  return (
    <Ask
      desk={desk}
      question={mute.question}
      facts={[{ text: mute.urgentToo }, { text: mute.isKept, isNews: true }]}
      action="/-/settings/mute"
      hidden={{ from: "overview" }}
      button={mute.button}
      icon="mute"
      isMild
      keep={{ text: mute.keep, to: "/-/" }}
    >
      <fieldset>
        <legend>{mute.howLong}</legend>
        {MUTE_CHOICES.map((choice, n) => (
          <label class="pick">
            <input type="radio" name="for" value={choice} checked={n === 0} />
            {mute[choice]}
          </label>
        ))}
      </fieldset>
    </Ask>
  );
};
