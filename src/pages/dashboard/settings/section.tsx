/** @jsxImportSource #jsx */
/** What the sections of the settings are made of. */
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";

/** A line of a section. `end`: what can be done, or how it is. */
export const Row = ({ name, note, sub, end }: { name: string; note?: string; sub?: Child; end?: Child }): Safe => (
  <li class="row">
    <div>
      <strong dir="auto">{name}</strong> {note !== undefined && <span class="dim">{note}</span>}
      {sub !== undefined && (
        <p class="sub" dir="auto">
          {sub}
        </p>
      )}
    </div>
    {end ?? <span></span>}
  </li>
);
