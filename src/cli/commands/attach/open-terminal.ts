import { spawnSync } from "node:child_process";
import { AoError } from "../../../core/errors.ts";
import type { AttachView } from "../../../protocol/views/session.ts";
import { codeOf } from "../../client/http.ts";

/** Is there a person with a keyboard and a screen? */
export function hasTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Shows an agent's terminal in this one until the person leaves it. */
export function openTerminal(command: NonNullable<AttachView["command"]>): void {
  // Nesting is intended here: ours is another server, and an unset TMUX avoids tmux's refusal.
  const { TMUX: _outer, ...env } = process.env;
  const result = spawnSync(command.program, [...command.args], { stdio: "inherit", env });
  if (result.error !== undefined) {
    const why = codeOf(result.error) === "ENOENT" ? "it is not installed" : result.error.message;
    const message = `${command.program} cannot be started: ${why}`;
    throw new AoError({ code: "program-missing", message, hint: "`ao doctor` says how to install it." });
  }
  if (result.status !== 0) {
    const hint = "`ao logs` shows the conversation.";
    throw new AoError({
      code: "session-state",
      message: "the agent's terminal could not be opened or has closed",
      hint,
    });
  }
}
