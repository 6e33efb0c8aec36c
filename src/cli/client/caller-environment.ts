import type { Client } from "./client.ts";

/** What agents need from the calling shell and the daemon may not have: the PATH, and the agents' own keys. */
export async function callerEnvironment(client: Client): Promise<Readonly<Record<string, string>>> {
  // An agent's own environment lacks the keys of others, and must not replace the user's.
  if ((process.env["AO_SESSION"] ?? "") !== "") return {};
  const { variables } = await client.call("GET /api/agents", { input: {} });
  const names = ["PATH", "SSH_AUTH_SOCK", ...variables];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
