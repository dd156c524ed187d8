/** Fields beside a body: those of the query, and of headers as ntfy has them (docs/publish.md). Pure. */
import { fieldNamed, fieldOfShort, isBareHeader, isFilename } from "./fields.ts";
import { decodeWords, isOfProxies, utf8, type Fields } from "./ntfy.ts";

/** What stands in the query beside the message. */
const NO_FIELDS = new Set(["rewrite", "link", "filename"]);

/** What query parameters or the fields of a form say, by names of ours, ntfy's or anybody's. The first of a name counts. */
export function parameterFields(params: URLSearchParams): Fields {
  const fields = Object.create(null) as Fields; // one may be called `constructor`
  for (const [name, value] of params) if (!NO_FIELDS.has(name)) add(fields, name.toLowerCase(), value);
  return fields;
}

export interface HeaderFields {
  /** Of any name that ntfy knows, with `X-` or without. */
  fields: Fields;
  /** Of those that begin with `X-`. */
  ours: Fields;
  /** The body is a file, of this name. */
  filename?: string;
}

/** Of a request without any. */
export const NO_HEADERS: HeaderFields = { fields: {}, ours: {} };

/** What headers say of the message. Looks at the names first: most requests have none of them, and each look-up costs. */
export function headerFields(headers: Headers): HeaderFields {
  let found: HeaderFields | undefined;
  for (const name of headers.keys()) {
    const bare = name.startsWith("x-") ? name.slice(2) : name;
    const isOurs = bare !== name;
    if (isOurs ? !isHeader(bare) : !isBareHeader(name)) continue;
    const value = headers.get(name) ?? "";
    if (isOfProxies(bare, value)) continue;
    found ??= { fields: {}, ours: {} };
    const text = decodeWords(utf8(value));
    if (isFilename(bare)) {
      if (text !== "") found.filename ??= text;
    } else if (isOurs) {
      add(found.ours, bare, text);
      Object.assign(found.fields, found.ours); // it was meant for us: it wins over its like without `X-`
    } else add(found.fields, bare, text);
  }
  return found ?? NO_HEADERS;
}

const isHeader = (bare: string): boolean => (fieldNamed(bare) ?? fieldOfShort(bare)) !== undefined || isFilename(bare);

/** A text typed on one line may say `\n` where a line ends. A name of nobody's stays: it may be misspelt. */
function add(fields: Fields, name: string, value: string): void {
  const full = fieldOfShort(name) ?? name;
  if (value !== "") fields[full] ??= fieldNamed(full) === "message" ? value.replaceAll("\\n", "\n") : value;
}
