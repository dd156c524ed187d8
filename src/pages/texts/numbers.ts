/** Numbers within a text, as a language writes them. */

/** `count`: a number and its noun, in the singular or the plural. */
export function numbersOf(locale: string) {
  let format: Intl.NumberFormat | undefined; // made at first use: its tables take some of the start's time
  const number = (n: number): string => (format ??= new Intl.NumberFormat(locale)).format(n);
  const count = (n: number, one: string, many: string): string => `${number(n)}\u00a0${n === 1 ? one : many}`;
  return { number, count };
}
