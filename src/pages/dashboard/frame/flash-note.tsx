/** @jsxImportSource #jsx */
/** The flash as the page shows it, with what takes it back or closes it. */
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Icon } from "../../layout.tsx";
import type { Desk } from "../signed-in.ts";
import { deskLink } from "./filter.ts";
import { backHere } from "../messages/back.ts";
import { flashText, type Flash } from "./flash.ts";
import { Submit } from "../../elements/submit.tsx";

export const FlashNote = ({ desk, flash }: { desk: Desk; flash: Flash }): Safe => {
  const { view } = desk;
  const { tone = "up", undo } = flash;
  return (
    <div class={`note flash ${tone}`} role="status" data-flash>
      <Icon view={view} name={tone} large />
      <div>
        <p dir="auto">{flashText(view.texts, flash)}</p>
      </div>
      {undo !== undefined && (
        <form
          method="post"
          action={deskLink(desk, `/-/messages/${undo.topic}/${undo.id}/undo-${undo.of}${backHere(view)}`)}
          data-undo
        >
          <Submit view={view} icon="undo" words={view.texts.shared.undo} />
        </form>
      )}
      <button class="btn bare only js" type="button" aria-label={view.texts.shared.close} data-close>
        <Icon view={view} name="x" />
      </button>
    </div>
  );
};
