/** Text as shells, languages and configuration files have it, so that nothing in it is read as something else. */

/** Nothing in it means anything between double quotes of a shell, where it is easier to read. */
const isPlain = (text: string): boolean => /^[\w\s.,:;/?&=@%+#~()[\]{}<>|^*'…-]*$/u.test(text);

/** Of a POSIX shell. */
export const sh = (text: string): string => (isPlain(text) ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`);

export const powerShell = (text: string): string =>
  isPlain(text) ? `"${text}"` : `'${text.replaceAll(/['‘’‚‛]/g, "$&$&")}'`;

/** Of JavaScript, Python and Go alike. */
export const string = (text: string): string => JSON.stringify(text);

export const yaml = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Of systemd: `%` and `$` mean something in it, quotes or not. */
export const unit = (text: string): string =>
  `"${text.replaceAll(/[\\"]/g, "\\$&").replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;

/** cron ends the command at a `%`, also between quotes. */
export const crontab = (text: string): string => sh(text).replaceAll("%", "\\%");
