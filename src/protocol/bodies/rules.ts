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
