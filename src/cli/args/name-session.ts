import { AoError } from "../../core/errors.ts";
import type { CommandSpec, Input } from "../command.ts";
import { sessionHere } from "./session-here.ts";

/**
 * Replaces `.`, `@2`, a row number, or nothing inside a session's worktree with session ids. Passes anything else on:
 * the daemon resolves prefixes and issues.
 */
export async function nameSessions(spec: CommandSpec, input: Input): Promise<Input> {
  const args = await withSessionHere(spec, input);
  const last = spec.arguments.length - 1;
  const named = args.map((written, index) => {
    const kind = spec.arguments[Math.min(index, last)]?.names;
    return kind === undefined ? written : nameOne(written, kind);
  });
  return { ...input, args: await Promise.all(named) };
}

async function withSessionHere(spec: CommandSpec, { args }: Input): Promise<readonly string[]> {
  const [session, next] = spec.arguments;
  if (session?.orHere !== true) return args;
  // Session names contain no spaces: a sentence alone is a message to the current session.
  const isText = args.length === 1 && next?.text === true && /\s/.test(args[0] ?? "");
  if (args.length > 0 && !isText) return args;
  const here = sessionHere();
  if (here !== null) return [here, ...args];
  if (session.optional === true || isText) return args;
  const { misuse } = await import("./usage-error.ts");
  const { usageHint } = await import("./parse-arguments.ts");
  throw misuse(`"ao ${spec.name}" needs ${session.name} outside a session's worktree`, usageHint(spec));
}

async function nameOne(written: string, kind: "session" | "pull-request"): Promise<string> {
  if (written === ".") return here();
  if (!/^[@#]?\d+$/.test(written)) return written;
  const { nameRow } = await import("./name-row.ts");
  const named = written.startsWith("#") ? written : await nameRow(written, kind);
  return kind === "session" && /^#?\d+$/.test(named) ? inProjectHere(named) : named;
}

/** Issue numbers belong to a project: inside one, `42` is never the issue of another. */
async function inProjectHere(issue: string): Promise<string> {
  const { connect } = await import("../client/client.ts");
  const { projectId } = await connect().call("GET /api/projects/here", { input: { cwd: process.cwd() } });
  return projectId === null ? issue : `${projectId}/${issue}`;
}

function here(): string {
  const id = sessionHere();
  if (id !== null) return id;
  const message = "this folder is not in a session's worktree";
  throw new AoError({
    code: "session-unknown",
    message,
    hint: "`ao list` shows the sessions, `ao path SESSION` its folder.",
  });
}
