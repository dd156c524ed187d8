/** @jsxImportSource #jsx */
/** A part of a page with a frame: its heading, what stands beside that, and what is in it. */
import type { Child, Safe } from "../jsx/jsx-runtime.ts";

interface PanelProps {
  /** The id by which links find it. */
  id?: string;
  /** Id of the heading. Absent: that of the panel, with `-h`. */
  heading?: string;
  title: Child;
  /** Hints at which the script asks for it again; once a minute it does so anyway. Absent: never. */
  live?: string;
  /** Beside the heading. */
  end?: Child;
  children?: Child;
}

export const Panel = ({ id, heading = `${id ?? ""}-h`, title, live, end, children }: PanelProps): Safe => (
  <section class="panel" id={id} aria-labelledby={heading} data-live={live}>
    <header>
      <h2 id={heading}>{title}</h2>
      {end}
    </header>
    {children}
  </section>
);
