/** Folds the case and the form of letters: full-width letters, ligatures and accents meet their plain forms (Unicode NFKC). */
export const fold = (text: string): string => text.normalize("NFKC").toLowerCase();
