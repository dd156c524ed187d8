/** @jsxImportSource #jsx */
/** A table that is a list on a phone: CSS takes its elements' own roles away there, so that they are said. */
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";

/** `rows`: a cell for each head; the first one names its row. */
export const Table = ({
  heads,
  rows,
}: {
  heads: readonly string[];
  rows: readonly (readonly [Child, ...Child[]])[];
}): Safe => (
  <table class="tbl" role="table">
    <thead role="rowgroup">
      <tr role="row">
        {heads.map((head) => (
          <th scope="col" role="columnheader">
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody role="rowgroup">
      {rows.map(([first, ...cells]) => (
        <tr role="row">
          <th scope="row" role="rowheader">
            {first}
          </th>
          {cells.map((cell, n) => (
            <td role="cell" data-l={heads[n + 1]}>
              <div>{cell}</div>
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
