/** @jsxImportSource #jsx */
/** A text as a QR code, drawn on the server. Of `uqr`, which has its source in the package, only the encoder. */
import { encode } from "uqr";
import { createKept } from "../../util/kept.ts";
import type { Safe } from "../jsx/jsx-runtime.ts";

/** `label`: says where it leads; the text itself has to be beside it, for readers who cannot scan. */
export const Qr = ({ text, label }: { text: string; label: string }): Safe => {
  const [size = "", path = ""] = drawn.of(text, draw).split("|");
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges" role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
};

/** Encoding takes milliseconds, and every reader of a feed gets the same code. */
const drawn = createKept(1_048_576, 1);

/** The number of modules on a side, and their path. */
function draw(text: string): string {
  // the frame gives it the quiet zone; M: a screen has no scratches, and a phone reads it from farther away
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  return `${size}|${data.map(rowPath).join("")}`;
}

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
