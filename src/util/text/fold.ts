/** Case and form of letters aside: full-width, ligatures and composed accents meet their plain forms (Unicode NFKC). */
export const fold = (text: string): string => text.normalize("NFKC").toLowerCase();
