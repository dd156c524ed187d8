/** `peal completion`: a script with which a shell completes commands, flags and words. */
import { bashCompletion } from "./completion/bash.ts";
import { fishCompletion } from "./completion/fish.ts";
import { suggestionsOf, type Suggestions } from "./completion/suggestions.ts";
import { zshCompletion } from "./completion/zsh.ts";
import { UsageError, writeOut, type Command } from "./command.ts";

const SHELLS = new Map<string, (about: Suggestions) => string>([
  ["bash", bashCompletion],
  ["zsh", zshCompletion],
  ["fish", fishCompletion],
]);
const WORDS = [...SHELLS.keys()];
const SHELL_ARG = `<${WORDS.join("|")}>`;

export const completion: Command = {
  name: "completion",
  args: [SHELL_ARG],
  words: WORDS,
  isClient: true,
  summary: "Print a script with which your shell completes commands, flags and their values.",
  about: `bash: save it as ~/.local/share/bash-completion/completions/peal, or source it in ~/.bashrc
zsh:  save it as _peal in a directory of $fpath
fish: save it as ~/.config/fish/completions/peal.fish`,
  flags: [],
  examples: [
    "source <(peal completion bash)",
    "peal completion zsh > /usr/local/share/zsh/site-functions/_peal",
    "peal completion fish > ~/.config/fish/completions/peal.fish",
  ],
  run: async ({ positionals: [shell = ""], contents }) => {
    const script = SHELLS.get(shell);
    if (script === undefined) throw new UsageError(`${shell}: must be ${SHELL_ARG}`);
    return writeOut(`${script(suggestionsOf(await contents()))}\n`);
  },
};
