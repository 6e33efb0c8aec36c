import { AoError, PluginError } from "../../core/errors.ts";
import type { ExecResult, Host } from "../../ports/host.ts";

/** The part of the daemon's environment that the tmux server itself gets. */
export const SERVER_ENVIRONMENT = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ"];

/** Runs tmux commands on our own server; exit code 1 is an answer, because tmux uses it for every "no". */
export interface TmuxClient {
  /** The path of its socket. */
  readonly socket: string;
  run(args: readonly string[], stdin?: string): Promise<ExecResult>;
}

/** A client of the server behind one socket. It ignores the user's tmux.conf. */
export function createTmuxClient(host: Host, socket: string): TmuxClient {
  return {
    socket,
    run: async (args, stdin) => {
      try {
        return await host.exec({
          program: "tmux",
          args: ["-u", "-S", socket, "-f", "/dev/null", ...args],
          // The first command starts the server, which outlives it: the server must keep no workspace busy, see no
          // secret and no surrounding tmux, and carry no intent (ending that intent's processes would end every agent's
          // terminal).
          cwd: "/",
          exactEnv: { ...plainEnvironment(host), AO_INTENT: "" },
          timeoutMs: 20_000,
          okCodes: [0, 1],
          ...(stdin === undefined ? {} : { stdin }),
        });
      } catch (error) {
        throw explain(error);
      }
    },
  };
}

/** The part of the daemon's environment that tmux gets. */
export function plainEnvironment(host: Host): Record<string, string> {
  return Object.fromEntries(
    SERVER_ENVIRONMENT.flatMap((name) => {
      const value = host.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function explain(cause: unknown): unknown {
  if (!(cause instanceof AoError)) return cause;
  const isMissing = cause.code === "program-missing";
  return new PluginError({
    plugin: "tmux",
    code: isMissing ? "program-missing" : cause.code,
    category: isMissing ? "config" : cause.code === "timeout" ? "unknown-outcome" : "unavailable",
    message: isMissing ? "tmux is not installed, or not on the daemon's PATH." : cause.message,
    hint: isMissing ? "Install tmux 3.2 or newer, or use the runtime `process`." : undefined,
    cause,
  });
}
