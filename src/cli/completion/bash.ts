/** Completion in bash. */
import type { Suggestions, Value } from "./suggestions.ts";

export function bashCompletion({ commands, first, second, fallback = "help" }: Suggestions): string {
  const pairs = commands.map(({ name }) => name).filter((name) => name.includes(" "));
  const flags = commands.map((command) => [command.name, command.flags.map(({ flag }) => flag).join(" ")] as const);
  const values = commands.flatMap((command) =>
    command.flags.flatMap(({ flag, value }) =>
      value.kind === "none" ? [] : [branch(`${command.name} ${flag}`, value)],
    ),
  );
  const args = commands.flatMap(({ name, argument }) => (argument.kind === "text" ? [] : [branch(name, argument)]));
  const runners = commands.filter(({ takesCommand }) => takesCommand).map(({ name }) => quoted(name));
  return `# Completion of peal for bash. Made by: peal completion bash
_peal() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} name=\${COMP_WORDS[1]} words= i
  COMPREPLY=()
  # bash gives --flag=value as three words
  if [[ $cur == '=' ]]; then cur=
  elif [[ $prev == '=' ]]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if ((COMP_CWORD == 1)) && [[ $cur != -* ]]; then
    COMPREPLY=($(compgen -W ${quoted([...first.keys()].join(" "))} -- "$cur"))
    return
  fi
  if [[ $name == -* ]]; then
    name=${quoted(fallback)}
  elif ((COMP_CWORD > 2)); then
    case "$name \${COMP_WORDS[2]}" in
      ${pairs.map(quoted).join(" | ")}) name="$name \${COMP_WORDS[2]}" ;;
    esac
  fi
  case $name in ${runners.length === 0 ? "''" : runners.join(" | ")})
    for ((i = 2; i < COMP_CWORD; i++)); do
      if [[ \${COMP_WORDS[i]} == -- ]]; then
        if ((i + 1 == COMP_CWORD)); then COMPREPLY=($(compgen -c -- "$cur"))
        else compopt -o default
        fi
        return
      fi
    done
    ;;
  esac
  case "$name $prev" in
${values.join("\n")}
  esac
  if [[ $cur == -* ]]; then
    case $name in
${flags.map(([name, all]) => `      ${quoted(name)}) words=${quoted(all)} ;;`).join("\n")}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    return
  fi
  if ((COMP_CWORD == 2)); then
    case $name in
${[...second].map(([word, next]) => `      ${word}) words=${quoted([...next.keys()].join(" "))} ;;`).join("\n")}
      help) words=${quoted([...first.keys()].join(" "))} ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    [[ -z $words ]] || return
  fi
  case $name in
${args.join("\n")}
  esac
}
complete -F _peal peal`;
}

/** A branch of a case that completes a value. */
function branch(pattern: string, value: Value): string {
  const does =
    value.kind === "words"
      ? `COMPREPLY=($(compgen -W ${quoted(value.words.join(" "))} -- "$cur")); `
      : value.kind === "path"
        ? "compopt -o default; "
        : "";
  return `    ${quoted(pattern)}) ${does}return ;;`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
