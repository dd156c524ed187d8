/** @jsxImportSource #jsx */
/** A framed part of a page: its heading, an element beside that, and its content. */
import type { Child, Safe } from "../jsx/jsx-runtime.ts";

interface PanelProps {
  /** The id by which links find it. */
  id?: string;
  /** The id of the heading. Absent: that of the panel, with `-h`. */
  heading?: string;
  title: Child;
  /** The hints at which the script asks for it again, as it does once a minute anyway. Absent: it never does. */
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
