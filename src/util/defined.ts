/** Leaves fields that are undefined out of objects. */

/** What a change says of fields that may be absent: `null` takes the value away. */
export type Erasable<T> = { [Key in keyof T]?: T[Key] | null };

/** The fields that are not undefined. A loop: `Object.entries` and back took three times as long, for each alert six times. */
export function defined<T extends object>(fields: { [Key in keyof T]: T[Key] | undefined }): T {
  const kept: { [Key in keyof T]?: T[Key] } = {};
  for (const key in fields) if (fields[key] !== undefined) kept[key] = fields[key];
  return kept as T;
}
