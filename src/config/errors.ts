/** A configuration that cannot be used, described so that the next try works. */

/** One wrong, unknown or unreadable setting. */
export interface ConfigProblem {
  /** As the operator wrote it: `PEAL_LISTEN`, `--listen`, `listen`. */
  key: string;
  /** Masked if it is a secret; absent if there is none to show. */
  value?: string;
  /** Where it came from: `environment`, `command line`, or the path of the file. */
  source: string;
  /** What is wrong and what to do: a sentence. */
  detail: string;
}

/** All problems of a configuration at once. The command line ends with status 78 (`EX_CONFIG` of sysexits). */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly ConfigProblem[];
  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(line).join("\n"));
    this.problems = problems;
  }
}

const line = ({ key, value, source, detail }: ConfigProblem): string =>
  `${key}${value === undefined ? "" : `=${JSON.stringify(value)}`} (${source}): ${detail}`;
