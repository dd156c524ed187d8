/** @jsxImportSource #jsx */
/** A text as a QR code, drawn on the server. Of `uqr`, which has its source in the package, only the encoder. */
import { encode } from "uqr";
import type { Safe } from "../jsx/jsx-runtime.ts";

/** `label`: says where it leads; the text itself has to be beside it, for readers who cannot scan. */
export const Qr = ({ text, label }: { text: string; label: string }): Safe => {
  // the frame gives it the quiet zone; M: a screen has no scratches, and a phone reads it from farther away
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges" role="img" aria-label={label}>
      <path d={data.map(rowPath).join("")} />
    </svg>
  );
};

/** A rectangle for each run of dark modules. */
function rowPath(row: readonly boolean[], y: number): string {
  let path = "";
  for (let x = 0; x < row.length; x++) {
    if (row[x] !== true) continue;
    const start = x;
    while (row[x + 1] === true) x++;
    path += `M${start} ${y}h${x + 1 - start}v1H${start}z`;
  }
  return path;
}
