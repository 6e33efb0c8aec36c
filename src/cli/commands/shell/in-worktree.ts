import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { AoError } from "../../../core/errors.ts";
import type { SessionDetailView } from "../../../protocol/views/session.ts";
import { connect } from "../../client/client.ts";
import { codeOf } from "../../client/http.ts";

export interface Worktree {
  readonly session: SessionDetailView;
  readonly path: string;
}

/** The folder that a session's agent works in; throws if it is gone or does not exist yet. */
export async function findWorktree(id: string): Promise<Worktree> {
  const session = await connect().call("GET /api/sessions/:id", { params: { id } });
  const path = session.workspacePath;
  if (path !== null && existsSync(path)) return { session, path };
  const isOver = session.status === "stopped" || session.status === "workspace-missing";
  throw new AoError({
    code: "session-state",
    message: `${session.id} has no worktree ${isOver ? "any more" : "yet"} (${session.status})`,
    hint: isOver ? `ao restore ${session.id}` : `ao status ${session.id}`,
  });
}

/** Runs a program in a folder on this terminal; returns its exit code. */
export async function runIn(folder: string, program: string, args: readonly string[]): Promise<number> {
  // Ctrl+C is for the program; this command exits after the program.
  const stay = (): void => undefined;
  process.on("SIGINT", stay);
  try {
    return await exitCodeOf(folder, program, args);
  } finally {
    process.off("SIGINT", stay);
  }
}

/** Runs a command line with its own arguments, such as `code --wait`, as git does with an editor. */
export function runLineIn(folder: string, line: string, args: readonly string[]): Promise<number> {
  return runIn(folder, "sh", ["-c", `${line} "$@"`, line, ...args]);
}

function exitCodeOf(cwd: string, program: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: "inherit" });
    child.once("error", (cause) => {
      const why = codeOf(cause) === "ENOENT" ? "command not found" : cause.message;
      reject(
        new AoError({
          code: "program-missing",
          message: `${program}: ${why}`,
          hint: "Check the name and your PATH.",
          cause,
        }),
      );
    });
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}
