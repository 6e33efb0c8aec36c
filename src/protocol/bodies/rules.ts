import { z } from "zod";
import { name } from "./text.ts";

const config = z
  .string()
  .max(1024 * 1024, "larger than 1 MiB")
  .exactOptional()
  .describe("The text of a configuration file whose rules to try.");

export const ReplayBody = z.strictObject({
  session: name.exactOptional().describe("Only this session and its pull requests."),
  pullRequest: name.exactOptional().describe("Only this pull request: `my-app/3`."),
  since: z.iso.datetime({ offset: true }).exactOptional().describe("Default: since the beginning of the log."),
  config,
});
export type ReplayBody = Readonly<z.infer<typeof ReplayBody>>;

export const ReactionsTestBody = z.strictObject({
  project: name.exactOptional().describe("Whose rules; not needed with a session."),
  session: name.exactOptional().describe("As if it happened to this session now; default: to a made-up one."),
  event: name.exactOptional().describe("A key of `reactions`; default: all of them."),
  facts: z
    .record(name, z.string().max(10_000))
    .exactOptional()
    .describe("What the event says, such as `label` or `check`."),
  config,
});
export type ReactionsTestBody = Readonly<z.infer<typeof ReactionsTestBody>>;
