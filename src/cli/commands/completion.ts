import { SCRIPTS } from "../args/completion-scripts.ts";
import { didYouMean, misuse, notYet } from "../args/usage-error.ts";
import { defineCommand } from "../command.ts";
import { print } from "../views/print.ts";

export const command = defineCommand({
  name: "completion",
  summary: "print a completion script for your shell, with live session and project names",
  usage: ["bash | zsh | fish"],
  arguments: [{ name: "SHELL", summary: "bash, zsh or fish", choices: Object.keys(SCRIPTS) }],
  options: {},
  examples: [
    "ao completion bash > ~/.local/share/bash-completion/completions/ao",
    "ao completion zsh > ~/.zfunc/_ao",
    "ao completion fish > ~/.config/fish/completions/ao.fish",
  ],
  details:
    "Create the folder first if it is missing. For zsh, it must be in `fpath` before `compinit` runs. Pressing Tab never starts the daemon.",
  async run({ args: [shell = ""] }) {
    if (shell === "powershell") throw notYet("completion for powershell");
    const script = SCRIPTS[shell];
    if (script !== undefined && Object.hasOwn(SCRIPTS, shell)) return print(script);
    const near = await didYouMean(shell, Object.keys(SCRIPTS));
    throw misuse(`unknown shell "${shell}"`, near ?? "ao completion bash | zsh | fish");
  },
});
