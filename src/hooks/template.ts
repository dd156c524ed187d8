/** How a map puts values into text: `{series.title}: {episodes.0.title}` (docs/publish.md). Pure. */

/** The names on the way to a value; a list's entries are named by their index. */
export type Path = readonly string[];

/** `{{`, `}}`, or a path between two braces, in which a backslash takes the next character as it is. */
const PIECES = /\{\{|\}\}|\{((?:[^{}\\]|\\.)*)\}|\{/gs;

/** Texts and paths in their order; undefined if a brace is not closed. */
export function piecesOf(template: string): (string | Path)[] | undefined {
  const pieces: (string | Path)[] = [];
  let at = 0;
  for (const found of template.matchAll(PIECES)) {
    pieces.push(template.slice(at, found.index));
    at = found.index + found[0].length;
    if (found[1] !== undefined) pieces.push(pathOf(found[1]));
    else if (found[0] === "{") return undefined;
    else pieces.push(found[0].charAt(0));
  }
  pieces.push(template.slice(at));
  return pieces.filter((piece) => piece !== "");
}

/** `a.b\.c` leads to `b.c` in `a`. */
export function pathOf(written: string): Path {
  const names = [""];
  for (const [part, escaped] of written.trim().matchAll(/\\(.)|[^\\.]+|\.|\\/gs)) {
    if (part === ".") names.push("");
    else names.push((names.pop() ?? "") + (escaped ?? part));
  }
  return names;
}

/** A path in the form that it has between braces. */
export const writtenPath = (path: Path): string => path.map((name) => name.replaceAll(/[.\\{}]/g, "\\$&")).join(".");

/** The template of a path in that form, whether or not its braces are escaped. */
export const placeholder = (written: string): string =>
  `{${written.replaceAll(/(\\.)|[{}]/gs, (found) => (found.startsWith("\\") ? found : `\\${found}`))}}`;

/** The path of a template that is one placeholder and nothing else, in that form. */
export const onlyPlaceholder = (template: string): string | undefined =>
  /^\{((?:[^{}\\]|\\.)*)\}$/s.exec(template.trim())?.[1];
