/** Numbers within a text, as a language writes them. */

/** The plural categories of Unicode's CLDR in its order, in which the forms of a noun are given. */
const CATEGORIES: readonly Intl.LDMLPluralRule[] = ["zero", "one", "two", "few", "many", "other"];

/**
 * `count`: a number and its noun. `forms`: a form for each plural category of the language, in the order of CLDR: English and
 * German have two (`line`, `lines`), Polish four (one, few, many, other). The last form also serves for those that are not given.
 */
export function numbersOf(locale: string) {
  // made at first use: their tables take some of the start's time
  let format: Intl.NumberFormat | undefined;
  let rules: Intl.PluralRules | undefined;
  let categories: readonly Intl.LDMLPluralRule[] = [];
  const number = (n: number): string => (format ??= new Intl.NumberFormat(locale)).format(n);
  const form = (n: number, forms: readonly string[]): string => {
    if (rules === undefined) {
      rules = new Intl.PluralRules(locale);
      const own = new Set(rules.resolvedOptions().pluralCategories);
      categories = CATEGORIES.filter((category) => own.has(category));
    }
    return forms[categories.indexOf(rules.select(n))] ?? forms.at(-1) ?? "";
  };
  const count = (n: number, ...forms: [string, ...string[]]): string => `${number(n)}\u00a0${form(n, forms)}`;
  return { number, count };
}
