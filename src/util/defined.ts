/** Objects whose absent fields are absent. */

/** The fields that are not undefined. */
export const defined = <T extends object>(fields: { [Key in keyof T]: T[Key] | undefined }): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
