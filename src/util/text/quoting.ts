/** Quotes text for shells, languages and configuration files, so that nothing in it means something else there. */

/** Nothing in it has a meaning between double quotes of a shell, where it is easier to read. */
const isPlain = (text: string): boolean => /^[\w\s.,:;/?&=@%+#~()[\]{}<>|^*'…-]*$/u.test(text);

/** For a POSIX shell. */
export const sh = (text: string): string => (isPlain(text) ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`);

export const powerShell = (text: string): string =>
  isPlain(text) ? `"${text}"` : `'${text.replaceAll(/['‘’‚‛]/g, "$&$&")}'`;

/** For JavaScript, Python and Go alike. */
export const string = (text: string): string => JSON.stringify(text);

export const yaml = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** For systemd: `%` and `$` have a meaning there, quoted or not. */
export const unit = (text: string): string =>
  `"${text.replaceAll(/[\\"]/g, "\\$&").replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;

/** For a crontab: cron ends the command at a `%`, even between quotes. */
export const crontab = (text: string): string => sh(text).replaceAll("%", "\\%");
