import { agrees } from "../../args/ask.ts";
import { unregistered } from "../../args/project-here.ts";
import type { Client } from "../../client/client.ts";
import { registerProject, reportRegistered } from "../../client/register-project.ts";
import { note } from "../../views/print.ts";

/**
 * The project for a new session: the named one, or the one around the working directory. Offers to register a
 * repository without a project, and never falls back to another project.
 */
export async function chooseProject(client: Client, named: string | undefined): Promise<string | undefined> {
  if (named !== undefined) return named;
  const { projectId, repository } = await client.call("GET /api/projects/here", { input: { cwd: process.cwd() } });
  if (projectId !== null) return projectId;
  if (repository === null) return theOnlyOne(client);
  if (!(await agrees(`${repository} is not registered with ao. Register it now?`))) throw unregistered(repository);
  const registered = await registerProject(client, { path: repository });
  reportRegistered(registered);
  return registered.data[0]?.id;
}

/** Outside any repository the only project must be meant; its name is printed. */
async function theOnlyOne(client: Client): Promise<string | undefined> {
  const { data } = await client.call("GET /api/projects");
  const [only] = data;
  if (data.length !== 1 || only === undefined) return undefined;
  note(`project ${only.id} (${only.path})`);
  return only.id;
}
