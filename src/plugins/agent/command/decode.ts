import { z } from "zod";
import type { AgentSignal } from "../../../core/agent-signal.ts";

const MAX_LINE = 1024 * 1024;
const count = z.number().nonnegative().finite();

const Line = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("status"),
    state: z.enum(["working", "idle", "waiting"]),
    note: z.string().optional(),
  }),
  z.object({
    type: z.literal("ask"),
    id: z.string().min(1),
    question: z.string(),
    choices: z.array(z.string()).default([]),
  }),
  z.object({
    type: z.literal("usage"),
    inputTokens: count.default(0),
    outputTokens: count.default(0),
    costUsd: count.default(0),
  }),
  z.object({ type: z.literal("received"), id: z.string().min(1) }),
  z.object({ type: z.literal("done"), summary: z.string().default("") }),
]);

/** Reads a line of the `lines` protocol; whatever is not one of its forms is output. */
export function decodeLine(line: string): AgentSignal | null {
  if (!line.startsWith("{") || line.length > MAX_LINE) return null;
  const parsed = Line.safeParse(parseJson(line));
  if (!parsed.success) return null;
  const said = parsed.data;
  switch (said.type) {
    case "status":
      return { kind: "status", state: said.state, note: said.note ?? null };
    case "ask":
      return { kind: "asked", id: said.id, question: said.question, choices: said.choices };
    case "usage":
      return {
        kind: "usage",
        inputTokens: said.inputTokens,
        outputTokens: said.outputTokens,
        costUsd: said.costUsd,
      };
    case "received":
      return { kind: "received", id: said.id };
    case "done":
      return { kind: "done", summary: said.summary };
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
