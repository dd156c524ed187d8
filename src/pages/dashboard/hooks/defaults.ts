/** Turns lines of a form into a hook's defaults, and back. Pure. */

/** The defaults as lines like `tags = nas, disk`. What is not text is JSON, as a publish reads it too. */
export const linesOf = (defaults: Readonly<Record<string, unknown>> = {}): string =>
  Object.entries(defaults)
    .map(([name, value]) => `${name} = ${textOf(value)}`)
    .join("\n");

function textOf(value: unknown): string {
  if (typeof value === "string" && value === value.trim() && !/^["[{]|[\r\n]/.test(value)) return value;
  const isPlain = Array.isArray(value) && value.every((each) => typeof each === "string" && !each.includes(","));
  return isPlain ? value.join(", ") : JSON.stringify(value);
}

/** Null if there are none; the first line that is not `field: value`, if any. The caller checks the values. */
export function defaultsIn(text: string): { defaults: Record<string, unknown> | null } | { wrong: string } {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const defaults = new Map<string, unknown>();
  for (const line of lines) {
    const [, name, value = ""] = /^([\w-]+)\s*=\s*(.+)$/s.exec(line) ?? [];
    if (name === undefined) return { wrong: line };
    defaults.set(name, valueOf(value));
  }
  return { defaults: defaults.size === 0 ? null : Object.fromEntries(defaults) };
}

/** Lists, objects, and a text that a line cannot hold as it is are JSON. */
function valueOf(text: string): unknown {
  if (!/^["[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
