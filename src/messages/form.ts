/** `application/x-www-form-urlencoded`, from its bytes: URLSearchParams would hide what is no UTF-8. */

/** The fields of the form; undefined when one is not UTF-8. */
export function parseForm(bytes: Uint8Array): URLSearchParams | undefined {
  const fields = new URLSearchParams();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (part: string) =>
    decoder.decode(Buffer.from(part.replaceAll("+", " ").replace(/%([0-9a-f]{2})/gi, hexCharacter), "latin1"));
  try {
    for (const pair of Buffer.from(bytes).toString("latin1").split("&")) {
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
