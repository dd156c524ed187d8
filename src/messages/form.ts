/** Forms, from their bytes. `application/x-www-form-urlencoded` by hand: URLSearchParams would hide what is no UTF-8. */

/** So many fields are read and no more: a megabyte of `a&` would hold everybody up for 170 ms (measured). */
const MAX_FIELDS = 1_000;

/** The fields of the form; undefined when one is not UTF-8. */
export function parseForm(bytes: Uint8Array): URLSearchParams | undefined {
  const fields = new URLSearchParams();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (part: string) =>
    decoder.decode(Buffer.from(part.replaceAll("+", " ").replace(/%([0-9a-f]{2})/gi, hexCharacter), "latin1"));
  try {
    for (const pair of Buffer.from(bytes).toString("latin1").split("&", MAX_FIELDS)) {
      const [name = "", ...value] = pair.split("=");
      if (pair !== "") fields.append(decode(name), decode(value.join("=")));
    }
  } catch {
    return undefined;
  }
  return fields;
}

/** Whether the form has a field of this name: then it is a form, and not a text that was sent as one. */
export const hasField = (bytes: Uint8Array, name: string): boolean =>
  new RegExp(`(?:^|&)${name}=`).test(Buffer.from(bytes).toString("latin1"));

/** For `replace`: the byte of two hex digits, as the character of Latin-1. */
export const hexCharacter = (_: string, hex: string) => String.fromCharCode(parseInt(hex, 16));

/** The fields of `multipart/form-data`, files as their text; undefined when it is none. Bytes that are no UTF-8: U+FFFD. */
export async function parseMultipart(contentType: string, bytes: Uint8Array): Promise<[string, string][] | undefined> {
  const response = new Response(bytes, { headers: { "content-type": contentType } });
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- because it has no limit: ours came before, 1 MiB takes 6 ms
  const form = await response.formData().catch(() => undefined);
  if (form === undefined || form.keys().next().done === true) return undefined;
  const read = async (value: string | Blob) => (typeof value === "string" ? value : value.text());
  const fields = [...form].slice(0, MAX_FIELDS);
  return Promise.all(fields.map(async ([name, value]): Promise<[string, string]> => [name, await read(value)]));
}
