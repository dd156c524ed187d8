/** @jsxImportSource #jsx */
/** A command for a check, to be copied: no line of it breaks between an option and its value. */
import type { Child, Safe } from "../../../jsx/jsx-runtime.ts";
import { Code } from "../../../layout.tsx";
import type { View } from "../../../view.ts";

/** Short enough for the narrowest window: `-o /dev/null`. */
const OPTION = /((?<=\s)--?\w+ [^\s-]\S{0,11}(?=\s|$))/;

/** `name`: of the tool. */
export const Command = ({ view, name, command }: { view: View; name: string; command: string }): Safe => (
  <Code view={view} label={view.texts.checks.ping.command(name)} text={kept(command)} wrap />
);

const kept = (command: string): Child =>
  command.split(OPTION).map((part, i) => (i % 2 === 0 ? part : <span class="clip">{part}</span>));
