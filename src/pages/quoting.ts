/** Text as shells, languages and configuration files have it, so that nothing in it is read as something else. */

/** Of a POSIX shell: between double quotes where nothing in it means anything there. */
export const sh = (text: string): string =>
  /^[\w\s.,:;/?&=@%+#~()[\]{}<>|^*'…-]*$/u.test(text) ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;

export const powerShell = (text: string): string =>
  /^[\w\s.,:;/?&=@%+#~()[\]{}<>|^*'…-]*$/u.test(text) ? `"${text}"` : `'${text.replaceAll(/['‘’‚‛]/g, "$&$&")}'`;

/** Of JavaScript, Python and Go alike. */
export const string = (text: string): string => JSON.stringify(text);

export const yaml = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Of systemd: `%` and `$` mean something in it, quotes or not. */
export const unit = (text: string): string =>
  `"${text.replaceAll(/[\\"]/g, "\\$&").replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;

/** cron ends the command at a `%`, also between quotes. */
export const crontab = (text: string): string => sh(text).replaceAll("%", "\\%");
