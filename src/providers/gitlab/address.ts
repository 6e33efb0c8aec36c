import { z } from "zod";

const SEGMENT = "[A-Za-z0-9_.][A-Za-z0-9_.-]*";

/** `group/project`, with any number of subgroups, or the URL of the project's page. */
const ProjectPath = z
  .string()
  .regex(new RegExp(`^(?:https?://[^/]+/)?(?:${SEGMENT}/)+${SEGMENT}?(?:\\.git)?/?$`), "expected group/project");

/** The settings that everything on GitLab shares. */
export const GitlabConfig = z.strictObject({
  repo: ProjectPath.describe("The project: group/project, or group/subgroup/project."),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Address of a self-managed GitLab, such as https://gitlab.example.com; gitlab.com when absent."),
});

/** The URLs of a GitLab instance. */
export interface GitlabAddress {
  readonly host: string;
  readonly web: string;
  readonly api: string;
}

/** The URLs of gitlab.com, or of a self-managed GitLab, which may have a path prefix. */
export function addressOf(baseUrl: string | undefined): GitlabAddress {
  const url = new URL(baseUrl ?? "https://gitlab.com");
  const path = url.pathname.replace(/\/api\/v4\/?$/, "").replace(/\/+$/, "");
  const web = `${url.origin}${path}`;
  return { host: url.host, web, api: `${web}/api/v4` };
}

/** The path of a project, in any notation. */
export function projectPathOf(written: string): string {
  return written
    .replace(/^https?:\/\/[^/]+\//, "")
    .replace(/\/+$/, "")
    .replace(/\.git$/, "");
}
