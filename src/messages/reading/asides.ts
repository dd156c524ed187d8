/** Fields beside a body: in the query, and in headers as ntfy has them (docs/publish.md). Pure. */
import { fieldNamed, fieldOfShort, isBareHeader, isFilename } from "./fields.ts";
import { decodeWords, isOfProxies, utf8, type Fields } from "./ntfy.ts";

/** Parameters of the query that are not fields of a message. */
const NO_FIELDS = new Set(["rewrite", "link", "filename"]);

/** The fields of a query or form, by our names, ntfy's or common ones. The first value of a name counts. */
export function parameterFields(params: URLSearchParams): Fields {
  const fields = Object.create(null) as Fields; // a field may be called `constructor`
  for (const [name, value] of params) if (!NO_FIELDS.has(name)) add(fields, name.toLowerCase(), value);
  return fields;
}

export interface HeaderFields {
  /** Headers of any name that ntfy knows, with `X-` or without. */
  fields: Fields;
  /** The headers that begin with `X-`. */
  ours: Fields;
  /** The body is a file with this name. */
  filename?: string;
}

/** The fields of a request without any headers. */
export const NO_HEADERS: HeaderFields = { fields: {}, ours: {} };

/** The fields in headers. It looks at the names first: most requests have none of them, and each look-up costs. */
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
      Object.assign(found.fields, found.ours); // a header with `X-` was meant for us: it wins over the one without
    } else add(found.fields, bare, text);
  }
  return found ?? NO_HEADERS;
}

const isHeader = (bare: string): boolean => (fieldNamed(bare) ?? fieldOfShort(bare)) !== undefined || isFilename(bare);

/** A text typed on one line may have `\n` for a line end. Unknown names stay: they may be misspelt. */
function add(fields: Fields, name: string, value: string): void {
  const full = fieldOfShort(name) ?? name;
  if (value !== "") fields[full] ??= fieldNamed(full) === "message" ? value.replaceAll("\\n", "\n") : value;
}
