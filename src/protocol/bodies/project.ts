import { z } from "zod";
import type { View } from "../views/view.ts";
import { environment, labels, name, path, prompt, title } from "./text.ts";

export const AddProjectBody = z
  .strictObject({
    path: path.min(1),
    config: path.exactOptional().describe("The configuration to use, instead of the one that is found."),
    agent: name
      .exactOptional()
      .describe("The agent for a configuration that has to be written; default: the first that is found."),
    choose: z
      .boolean()
      .exactOptional()
      .describe("If several agents are found and none is named, write nothing and answer with `choices`."),
    useForge: z
      .boolean()
      .exactOptional()
      .describe("A configuration that has to be written takes issues and pull requests from the forge of the remote."),
    env: environment.exactOptional().describe("What agents need from the caller's shell."),
  })
  .meta({ id: "AddProjectBody" });
export type AddProjectBody = View<typeof AddProjectBody>;

const issue = {
  body: prompt.exactOptional(),
  labels: labels.exactOptional(),
  dependsOn: labels.exactOptional(),
  priority: name.exactOptional(),
};

export const CreateIssueBody = z.strictObject({ title, ...issue });
export const EditIssueBody = z.strictObject({
  title: title.exactOptional(),
  state: z.enum(["open", "closed"]).exactOptional(),
  ...issue,
});
