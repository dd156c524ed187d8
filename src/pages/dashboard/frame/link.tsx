/** @jsxImportSource #jsx */
/** What leads on from a page of the dashboard, and keeps the header's filter. */
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import { Icon, type IconName } from "../../layout.tsx";
import type { Desk } from "../signed-in.ts";
import { deskLink } from "./filter.ts";

interface LinkProps {
  desk: Pick<Desk, "view" | "chosen">;
  /** Below the base path, with `params` as its query (filter.ts). */
  to: string;
  params?: Parameters<typeof deskLink>[2];
  words: Child;
  class?: string;
  /** Before the words. */
  icon?: IconName;
  dir?: "auto";
  "aria-label"?: string;
}

export const Link = ({ desk, to, params, words, class: classes, icon, ...rest }: LinkProps): Safe => (
  <a class={classes} href={deskLink(desk, to, params)} {...rest}>
    {icon !== undefined && <Icon view={desk.view} name={icon} />}
    {words}
  </a>
);
