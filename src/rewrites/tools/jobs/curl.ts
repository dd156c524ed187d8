/** The command by which a job publishes. */

/** Silent but for errors: what a job prints is mailed or logged, and the answer has the topic's link in it. */
export const curl = (options: string, quotedUrl: string): string =>
  `curl -fsS -o /dev/null --retry 3 -H "Authorization: Bearer $KEY" ${options} ${quotedUrl}`;
