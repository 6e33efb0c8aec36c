import { decodeSignal, encodeMessage } from "../../core/lines-protocol.ts";
import type { Agent, AgentProblem } from "../../ports/agent.ts";

export interface FakeAgentOptions {
  /** How it gets messages without a terminal; default inbox. */
  readonly input?: "inbox" | "file";
  /** A missing program. */
  readonly missing?: string;
}

/** An agent that speaks the lines protocol; its program is whatever the fake runtime has under the name `agent`. */
export function createFakeAgent({ input = "inbox", missing }: FakeAgentOptions = {}): Agent {
  return {
    launch: (context) => ({
      argv: ["agent"],
      env: context.resume ? { AO_RESUME: "1" } : {},
      input: context.interface === "terminal" ? "terminal" : input,
    }),
    encode: (message) => (input === "file" ? message.text : encodeMessage(message)),
    decode: input === "file" ? () => null : decodeSignal,
    preflight: async () => (missing === undefined ? [] : [problemOf(missing)]),
  };
}

function problemOf(program: string): AgentProblem {
  return { code: "program-missing", message: `${program} was not found.`, hint: `Install ${program}.` };
}
