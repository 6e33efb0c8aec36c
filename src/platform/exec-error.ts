import { AoError } from "../core/errors.ts";

export type ExecReason = "spawn" | "timeout" | "aborted" | "exit" | "output-limit";

export interface ExecFacts {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly reason: ExecReason;
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderrTail: string;
  readonly detail: string;
}

/** A failed program, with every fact about how it ended. */
export class ExecError extends AoError {
  readonly facts: ExecFacts;

  constructor(facts: ExecFacts, cause?: unknown) {
    super({
      code: facts.reason === "spawn" ? "program-missing" : facts.reason === "timeout" ? "timeout" : "plugin-failed",
      message: describeFailure(facts),
      cause,
    });
    this.name = "ExecError";
    this.facts = facts;
  }
}

/** One sentence about a failed program; it omits settings, and arguments after the first two, which may be long or private. */
export function describeFailure(facts: ExecFacts): string {
  const words = facts.args.slice(facts.args.findIndex((word, at) => word !== "-c" && facts.args[at - 1] !== "-c"));
  const command = [facts.program, ...words.slice(0, 2)].join(" ");
  const tail = facts.stderrTail.trim().split("\n").slice(-3).join(" / ");
  const why = tail === "" ? "" : `: ${tail}`;
  switch (facts.reason) {
    case "spawn":
      return `${facts.program} could not be started: ${facts.detail}`;
    case "timeout":
      return `${command} did not end within ${facts.detail}${why}`;
    case "aborted":
      return `${command} was cancelled`;
    case "output-limit":
      return `${command} printed more than ${facts.detail}`;
    case "exit":
      return facts.signal === null
        ? `${command} failed with exit code ${facts.code}${why}`
        : `${command} was ended by ${facts.signal}${why}`;
  }
}
