import { z } from "zod";
import { SCOPES } from "../choices.ts";
import { line, name } from "./text.ts";

export const NothingBody = z.strictObject({});
export const PauseBody = z.strictObject({
  project: name.exactOptional().describe("Only this project; default: everything."),
});
export const CleanupBody = z.strictObject({
  dryRun: z.boolean(),
  preserved: z.boolean().exactOptional().describe("Also delete uncommitted work that was preserved."),
});
export const ShutdownBody = z.strictObject({
  sessions: z.boolean().exactOptional().describe("Stop all sessions first."),
});
export const CreateTokenBody = z.strictObject({
  name: z.string().regex(/^[\w.-]{1,64}$/, "letters, digits, dot, dash"),
  scope: z.enum(SCOPES).exactOptional().describe("What it may do; default: admin, everything."),
});
export const DismissBody = z.strictObject({ id: line(500) });
export const SnoozeBody = z.strictObject({
  id: line(500),
  until: z.iso.datetime({ offset: true }).describe("A time to come, such as 2026-07-01T09:00:00Z."),
});
export const TestNotifierBody = z.strictObject({
  notifier: line(200).exactOptional().describe("Only this one; default: all."),
});
export const CreateLinkBody = z.strictObject({
  session: line(500).exactOptional().describe("Open this session's page."),
  network: z.boolean().exactOptional().describe("For another device on the network; default: for this machine."),
  lasting: z
    .boolean()
    .exactOptional()
    .describe("Works as often as needed until the daemon stops, for a demo; default: once, for 5 minutes."),
});
export const TrainBody = z.strictObject({
  paused: z.boolean().exactOptional().describe("true: merge nothing until it is false again."),
  move: z
    .strictObject({
      number: z.int().min(1).describe("The pull request."),
      to: z.int().min(1).describe("Its place; 1 is the first."),
    })
    .exactOptional(),
});
export type TrainBody = z.infer<typeof TrainBody>;
