import { connect } from "../client/client.ts";
import type { Candidate, LiveNames } from "./complete.ts";

/** Names from the daemon; empty if it is not running, because pressing Tab should not start it. */
export function connectLiveNames(): LiveNames {
  const client = connect({ start: false });
  return {
    sessions: () =>
      orNone(async () => {
        const { data } = await client.call("GET /api/sessions", { input: {} });
        return data.map(({ id, title }) => ({ value: id, summary: title }));
      }),
    projects: () =>
      orNone(async () => {
        const { data } = await client.call("GET /api/projects");
        return data.map(({ id, path }) => ({ value: id, summary: path }));
      }),
    pullRequests: () =>
      orNone(async () => {
        const { data } = await client.call("GET /api/pull-requests", { input: { state: "open" } });
        return data.map(({ key, title }) => ({ value: key, summary: title }));
      }),
    choices: (session) =>
      orNone(async () => {
        const { question } = await client.call("GET /api/sessions/:id", { params: { id: session } });
        return (question?.choices ?? []).map((value) => ({ value, summary: question?.descriptions[value] ?? "" }));
      }),
  };
}

async function orNone(ask: () => Promise<readonly Candidate[]>): Promise<readonly Candidate[]> {
  try {
    return await ask();
  } catch {
    return [];
  }
}
