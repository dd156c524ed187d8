/** Reads fields of JSON that others wrote. */
export type Fields = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {});

export function textOf(fields: Fields, name: string): string | undefined {
  const { [name]: value } = fields;
  return typeof value === "string" ? value : undefined;
}

export function listOf(fields: Fields, name: string): readonly unknown[] {
  const { [name]: value } = fields;
  return Array.isArray(value) ? value : [];
}
