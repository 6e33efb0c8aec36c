import { z } from "zod";
import type { View } from "./view.ts";

const size = { columns: z.int().min(2).max(1000), rows: z.int().min(2).max(1000) };

/** What the daemon sends as text besides the terminal's bytes. */
export const TerminalFrame = z.discriminatedUnion("type", [
  z
    .object({ type: z.literal("input"), allowed: z.boolean(), reason: z.string().nullable() })
    .describe("The first frame, and again when it changes: may this viewer type? If not, why."),
  z.object({ type: z.literal("size"), ...size }).describe("The terminal has this size now."),
  z
    .object({ type: z.literal("screen"), reason: z.enum(["first", "behind", "log-gone", "new-run", "settled"]) })
    .describe("Clear the terminal: the next bytes draw everything."),
  z
    .object({ type: z.literal("cursor"), cursor: z.string() })
    .describe("The bytes so far reach to here; a connection with this cursor continues after them."),
  z.object({ type: z.literal("end"), reason: z.string() }).describe("Nothing more comes."),
  z.object({ type: z.literal("error"), message: z.string() }),
]);
export type TerminalFrame = View<typeof TerminalFrame>;

/** What a viewer sends as text; bytes are keys, as a terminal sends them. */
export const TerminalRequest = z.discriminatedUnion("type", [
  z.object({ type: z.literal("input"), data: z.string().max(65_536) }).describe("Keys, as text."),
  z.object({ type: z.literal("resize"), ...size }).describe("The size of the viewer."),
]);
