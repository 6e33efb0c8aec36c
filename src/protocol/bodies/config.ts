import { z } from "zod";
import { name } from "./text.ts";

const MAX_TEXT = 1024 * 1024;

export const configProject = name
  .exactOptional()
  .describe("The project whose file is meant; default: the file for machine-wide keys.");

export const ConfigTextBody = z.strictObject({
  project: configProject,
  text: z.string().max(MAX_TEXT, "larger than 1 MiB").describe("The whole file."),
});
export type ConfigTextBody = Readonly<z.infer<typeof ConfigTextBody>>;

export const ConfigAcceptBody = z.strictObject({
  project: configProject,
  version: z.string().min(1).max(100).describe("Of the text that was shown, as in `held.version`."),
});
export type ConfigAcceptBody = Readonly<z.infer<typeof ConfigAcceptBody>>;

export const ConfigEditBody = ConfigTextBody.extend({
  key: z.string().min(1).max(500).describe("Such as reactions.ci-failed.retries; of the project, if one is named."),
  value: z.string().max(10_000).describe("As it would be written in the file."),
});
export type ConfigEditBody = Readonly<z.infer<typeof ConfigEditBody>>;
