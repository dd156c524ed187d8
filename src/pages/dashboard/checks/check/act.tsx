/** @jsxImportSource #jsx */
/** A button that does one thing to a check. */
import type { Check } from "../../../../checks/check.ts";
import type { Child, Safe } from "../../../jsx/jsx-runtime.ts";
import { Icon, type IconName } from "../../../layout.tsx";
import type { Desk } from "../../signed-in.ts";
import { deskLink } from "../../frame/filter.ts";
import { pathOf } from "../on-check.ts";

interface ActProps {
  desk: Desk;
  check: Check;
  act: string;
  words: Child;
  icon?: IconName;
}

export const Act = ({ desk, check, act, words, icon }: ActProps): Safe => (
  <form method="post" action={deskLink(desk, `${pathOf(check)}/${act}`)}>
    <button class="btn" type="submit">
      {icon !== undefined && <Icon view={desk.view} name={icon} />}
      {words}
    </button>
  </form>
);
