/** @jsxImportSource #jsx */
/** JSX that escapes by construction, and Markdown by an allow-list (WEB.md §1). */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { jsx, trusted } from "../../src/pages/jsx/jsx-runtime.ts";
import { markdown } from "../../src/pages/elements/markdown.tsx";
import { textsOf } from "../../src/pages/texts/languages.ts";

const hostile = `<script>alert(1)</script>"'&<img src=x onerror=alert(1)>`;

test("children and attributes are escaped", () => {
  const { html } = <p title={hostile}>{hostile}</p>;
  expect(html).toBe(`<p title="${Bun.escapeHTML(hostile)}">${Bun.escapeHTML(hostile)}</p>`);
});

test("only what is Safe is inserted unescaped, arrays element by element, null and booleans as nothing", () => {
  const { html } = (
    <p>
      {[trusted("<b>1</b>"), "<i>", 2]}
      {null}
      {undefined}
      {true}
      {false}
    </p>
  );
  expect(html).toBe("<p><b>1</b>&lt;i&gt;2</p>");
});

test("an object that looks like Safe is refused, because it is not HTML", () => {
  expect(() => jsx("p", { children: { html: "<script></script>" } })).toThrow(TypeError);
});

test.each(["onclick", "onload", "ONCLICK", "style", "srcdoc", "a b", "x>"])("the attribute %s is refused", (name) => {
  expect(() => jsx("p", { [name]: "alert(1)" })).toThrow("attribute refused");
});

test("the types allow no handlers and styles either", () => {
  // @ts-expect-error -- on* is never
  expect(() => <p onclick="alert(1)"></p>).toThrow();
  // @ts-expect-error -- not among the attributes
  expect(() => <p style="color: red"></p>).toThrow();
});

test.each([
  ["javascript:alert(1)", false],
  [" java\nscript:alert(1)", false],
  ["JAVASCRIPT:alert(1)", false],
  ["data:text/html,<script>alert(1)</script>", false],
  ["vbscript:x", false],
  ["blob:https://example.org/1", false],
  ["https://example.org/", true],
  ["mailto:a@example.org", true],
  ["tel:+49", true],
  ["ntfy://nas.example:7325/x?secure=false", true],
  ["/-/assets/x.css", true],
  ["?before=3", true],
])("the address %p is kept: %p", (url, isKept) => {
  expect((<a href={url}>x</a>).html.includes("href")).toBe(isKept);
  expect(jsx("form", { action: url }).html.includes("action")).toBe(isKept);
});

test("a first line break in pre, NUL and CR survive the parser", () => {
  expect((<pre>{"\na\0b\rc"}</pre>).html).toBe("<pre>\n\na\uFFFDb&#13;c</pre>");
});

const ALLOWED = new Map<string, string[]>(
  Object.entries({
    a: ["href", "title", "rel"],
    ol: ["start"],
    pre: ["tabindex"],
    div: ["class", "tabindex"],
    ...Object.fromEntries(
      "p h4 h5 blockquote code strong em s hr ul li table thead tbody tr th td".split(" ").map((tag) => [tag, []]),
    ),
  }),
);

/** The elements and attributes that a parser finds, as `tag` and `tag@attribute=value`. */
function found(html: string): string[] {
  const seen: string[] = [];
  new HTMLRewriter()
    .on("*", {
      element: ({ tagName, attributes }) => {
        seen.push(tagName);
        for (const [name = "", value = ""] of attributes) seen.push(`${tagName}@${name}=${value}`);
      },
    })
    .transform(html);
  return seen;
}

function expectHarmless(html: string): void {
  for (const seen of found(html)) {
    const [, tag = "", name, value = ""] = /^([^@]*)(?:@([^=]*)=([^]*))?$/.exec(seen) ?? [];
    expect([seen, ALLOWED.has(tag)]).toEqual([seen, true]);
    if (name !== undefined) expect([seen, ALLOWED.get(tag)?.includes(name)]).toEqual([seen, true]);
    if (name === "href") expect(value).toMatch(/^(https?|mailto|tel):/i);
  }
}

test.each([
  "<script>alert(1)</script>",
  "a <img src=x onerror=alert(1)> b",
  "[x](javascript:alert(1))",
  "[x](<java\tscript:alert(1)>)",
  "[x](data:text/html;base64,PHNjcmlwdD4=)",
  '[x](https://example.org/"onmouseover="alert(1) "t\\" onclick=\\"alert(1)")',
  "![x](javascript:alert(1))",
  '![" onerror="alert(1)](https://example.org/x.png)',
  "[![<b>](javascript:alert(1))](https://example.org)",
  "```<script>\n</code></pre><script>alert(1)</script>\n```",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "|<script>|b|\n|-|-|\n|[x](javascript:1)|<svg onload=alert(1)>|",
  "<https://example.org/<script>>",
  "[x]: javascript:alert(1)\n\n[x]",
  "<details open ontoggle=alert(1)>",
  "# <script>alert(1)</script>\n- [x] <b>\n> <i>",
  "[x](/-/setup)",
  "[x](//evil.example/)",
  "[x](ntfy://evil.example/topic)",
])("hostile Markdown is harmless: %p", (text) => {
  expectHarmless(markdown(text, textsOf("en")).html);
});

test("any Markdown becomes allowed elements with allowed attributes", () => {
  const pieces = fc.constantFrom(
    ..."<>[]()!`*_~|#-\n \"'&;:/\\=".split(""),
    "script",
    "javascript:",
    "https://e.org",
    "onload=",
    "&lt;",
    "&#60;",
    "x",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      expectHarmless(markdown(parts.join(""), textsOf("en")).html);
    }),
    { numRuns: 2_000 },
  );
});

test("what Markdown means is shown", () => {
  const html = markdown(
    '**a** `b<` [c](https://e.org/ "t") https://f.org\n\n![d](https://g.org/x.png)\n\n3. e',
    textsOf("en"),
  ).html;
  expect(html).toBe(
    '<p><strong>a</strong> <code>b&lt;</code> <a href="https://e.org/" title="t" rel="noreferrer">c</a> ' +
      '<a href="https://f.org" rel="noreferrer">https://f.org</a></p>' +
      '<p><a href="https://g.org/x.png" rel="noreferrer">d</a></p><ol start="3"><li>e</li></ol>',
  );
});
