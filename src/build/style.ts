/**
 * A stylesheet made small. Bun's bundler is not used for it: it writes some rules three times, for browsers that peal is
 * not made for.
 */

/**
 * What a declaration is about, by how its name begins. They come in this order, those of one group by their names, so that
 * gzip finds the same words in the same order again. Of the orders that were tried this one saves most: 2 % of the file.
 */
const GROUPS = [
  /^(?:content|position|inset|top|right|bottom|left|z-index)/,
  ...[/^margin/, /^padding/, /^(?:flex|order)/, /^grid/, /^(?:justify|vertical)/, /^(?:white-space|overflow)/],
  ...[/^display/, /^(?:align|place)/, /^(?:text|list|cursor)/, /^(?:gap|row-gap|column-gap)/],
  ...[/^(?:font|line-height|letter)/, /^(?:color|fill|stroke|accent)/, /^(?:background|box-shadow|outline|opacity)/],
  ...[/^border(?!-radius)/, /^border-radius/, /^(?:min-|max-)/, /^(?:width|height|box-sizing)/, /^/],
];

/** `css` as prettier formats it, without comments, its declarations sorted. A shorthand must not sort behind its parts. */
export const minified = (css: string): string =>
  css
    .replace(/\/\*[^]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,>~]) ?/g, "$1")
    .replace(/: /g, ":")
    .replace(/(?<![\w.])0\./g, ".")
    .replace(/="([\w-]+)"\]/g, "=$1]")
    .replace(/(?<=\{)[^{}]+(?=\})/g, sorted)
    .trim();

function sorted(declarations: string): string {
  const keyOf = (declaration: string): string => {
    const name = declaration.slice(0, declaration.indexOf(":"));
    const group = GROUPS.findIndex((begins) => begins.test(name));
    return name.startsWith("--") ? "" : `${String(group).padStart(2, "0")}${name}`;
  };
  const keyed = declarations
    .split(";")
    .filter((declaration) => declaration !== "")
    .map((declaration) => ({ declaration, key: keyOf(declaration) }));
  const inOrder = keyed.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return inOrder.map(({ declaration }) => declaration).join(";");
}
