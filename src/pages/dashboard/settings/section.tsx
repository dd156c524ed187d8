/** @jsxImportSource #jsx */
/** A section of the settings: its heading, an element beside it, and its rows. */
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";

interface PanelProps {
  /** The id by which links find it. */
  id: string;
  title: string;
  /** Hints at which the script asks for it again; once a minute it does so anyway. Absent: never. */
  live?: string;
  /** Beside the heading. */
  end?: Child;
  children?: Child;
}

export const Panel = ({ id, title, live, end, children }: PanelProps): Safe => (
  <section class="panel" id={id} aria-labelledby={`${id}-h`} data-live={live}>
    <header>
      <h2 id={`${id}-h`}>{title}</h2>
      {end}
    </header>
    {children}
  </section>
);

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
