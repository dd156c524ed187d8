/**
 * `css`, as prettier formats it, without comments and space. Bun's bundler is not used: it writes a rule with `:is()` three
 * times, for browsers that peal does not support.
 */
export const minified = (css: string): string =>
  css
    .replace(/\/\*[^]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,>~]) ?/g, "$1")
    .replace(/;\}/g, "}")
    .replace(/: /g, ":")
    .replace(/(?<![\w.])0\./g, ".")
    .replace(/="([\w-]+)"\]/g, "=$1]")
    .trim();
