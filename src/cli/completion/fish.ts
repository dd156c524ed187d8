/** Completion in fish. */
import type { Suggestions, Value } from "./suggestions.ts";

export function fishCompletion({ commands, first, second, fallback }: Suggestions): string {
  const begins = [...first].map(([word, does]) => line("__peal_words", ["-a", quoted(word), "-d", quoted(does)]));
  const nexts = [...second].flatMap(([word, next]) =>
    [...next].map(([each, does]) => line(`__peal_words ${word}`, ["-a", quoted(each), "-d", quoted(does)])),
  );
  const helps = [...first.keys()].map((word) => line("__peal_words help", ["-a", quoted(word)]));
  const flags = commands.flatMap(({ name, flags: all, argument, takesCommand }) => {
    const seen = `__peal_in ${name}`;
    const own = all.map(({ flag, description, value }) =>
      line(seen, ["-l", flag.slice(2), ...taking(value), "-d", quoted(description)]),
    );
    const args =
      argument.kind === "words"
        ? [line(seen, ["-a", quoted(argument.words.join(" "))])]
        : argument.kind === "path"
          ? [line(seen, ["-F"])]
          : [];
    return [...own, ...args, ...(takesCommand ? [line(`__peal_in ${name}; and __peal_after`, COMMAND)] : [])];
  });
  return `# Completion of peal for fish. Made by: peal completion fish
function __peal_said
    # the words before the cursor that are no flags; those of a command alone are its own
    set -l words (commandline -opc)
    set -e words[1]
    string match -v -- '-*' $words
end
function __peal_words
    # these words and no others have been said
    set -l said (__peal_said)
    test "$said" = "$argv"
end
function __peal_in
    # the command is this one, and none that begins with it
    set -l words (commandline -opc)
    set -e words[1]
    if test (count $words) -eq 0; or string match -q -- '-*' $words[1]
        test "$argv" = '${fallback ?? "help"}'
        return
    end
    if contains -- "$words[1] $words[2]" ${commands.flatMap(({ name }) => (name.includes(" ") ? [quoted(name)] : [])).join(" ")}
        test "$argv" = "$words[1] $words[2]"
    else
        test "$argv" = "$words[1]"
    end
end
function __peal_after
    contains -- -- (commandline -opc)
end
function __peal_job
    # completes what stands behind the dashes as a command of its own
    set -l words (commandline -opc)
    set -e words[1..(contains -i -- -- $words)]
    complete -C "$words "(commandline -ct)
end
complete -c peal -f
${[...begins, ...nexts, ...helps, ...flags].join("\n")}`;
}

const COMMAND = ["-a", "'(__peal_job)'"];

const line = (condition: string, options: readonly string[]): string =>
  `complete -c peal -n ${quoted(condition)} ${options.join(" ")}`;

function taking(value: Value): string[] {
  if (value.kind === "none") return [];
  if (value.kind === "path") return ["-r", "-F"];
  return value.kind === "words" ? ["-x", "-a", quoted(value.words.join(" "))] : ["-x"];
}

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
