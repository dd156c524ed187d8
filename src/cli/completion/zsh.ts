/** Completion in zsh. */
import type { FlagSuggestion, Suggestion, Suggestions, Value } from "./suggestions.ts";

export function zshCompletion({ commands, first, second, fallback = "help" }: Suggestions): string {
  const pairs = commands.map(({ name }) => name).filter((name) => name.includes(" "));
  const runners = commands.flatMap(({ name, takesCommand }) => (takesCommand ? [quoted(name)] : [])).join("|") || "''";
  return `#compdef peal
# Completion of peal for zsh. Made by: peal completion zsh
_peal() {
  local name=$words[2]
  local -i said=1
  local -a described
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    described=(${list(first)})
    _describe -t commands command described
    return
  fi
  if [[ $name == -* ]]; then
    name=${quoted(fallback)} said=0
  elif (( CURRENT > 3 )); then
    case "$words[2] $words[3]" in
      (${pairs.map(quoted).join("|")}) name="$words[2] $words[3]" said=2 ;;
    esac
  elif [[ $words[3] != -* ]]; then
    case $name in
${[...second].map(([word, next]) => `      (${word}) described=(${list(next)}) ;;`).join("\n")}
      (help) described=(${list(first)}) ;;
    esac
    (( $#described == 0 )) || _describe -t commands command described
  fi
  # what is left is the command's own
  words=("$name" "\${(@)words[2 + said,-1]}")
  (( CURRENT -= said ))
  case $name in (${runners})
    local -i dashes=$words[(i)--]
    if (( dashes < CURRENT )); then
      words=("\${(@)words[dashes + 1,-1]}")
      (( CURRENT -= dashes ))
      _normal
      return
    fi
    ;;
  esac
  case $name in
${commands.map((command) => `    (${quoted(command.name)}) _arguments ${specs(command).map(quoted).join(" ")} ;;`).join("\n")}
  esac
}
if [[ $funcstack[1] == _peal ]]; then _peal "$@"; else compdef _peal peal; fi`;
}

const list = (words: ReadonlyMap<string, string>): string =>
  [...words].map(([word, does]) => quoted(`${word}:${does}`)).join(" ");

const specs = ({ flags, argument }: Suggestion): string[] => [
  ...flags.map(flagSpec),
  `1:argument:${action(argument)}`,
  "*:argument:()", // with `: ` zsh would say a message, and insert no flag
];

const flagSpec = ({ flag, description, value }: FlagSuggestion): string => {
  const does = `[${description.replaceAll(/[\\[\]]/g, "\\$&")}]`;
  return value.kind === "none" ? `${flag}${does}` : `${flag}=${does}:value:${action(value)}`;
};

function action(value: Value): string {
  if (value.kind === "words") return `(${value.words.join(" ")})`;
  return value.kind === "path" ? "_files" : "()";
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
