import { join } from "node:path";
import { expect, it } from "vitest";
import type { SessionDetailView } from "../../../src/protocol/views/session.ts";
import type { Answer } from "../../support/api.ts";
import { type Fleet, makeFleet } from "../../support/fleet.ts";
import { eventsOf, open, reach } from "../survival/session.ts";
import { root } from "./shell.ts";

const muteAgent = [process.execPath, join(root, "test/fixtures/agents/acp-agent.mjs"), "--mute"];

async function begin(fleet: Fleet): Promise<string> {
  await open(fleet);
  const { body } = await fleet.write<SessionDetailView>("POST", "/api/sessions", { title: "talk" });
  await reach(fleet, body.id, "alive", ({ run }) => run.state === "alive");
  return body.id;
}

function move(fleet: Fleet, id: string, runtime: string): Promise<Answer<unknown>> {
  return fleet.write("POST", `/api/sessions/${id}/runtime`, { runtime });
}

it.each([
  ["command", {}, "The agent command has no terminal interface that can continue the same conversation."],
  [
    "acp",
    { agent: "acp", agentConfig: { command: muteAgent } },
    "The agent acp has no terminal interface in this version.",
  ],
])("the agent %s cannot be taken over, and keeps running unchanged", async (_, project, detail) => {
  const fleet = await makeFleet({ project });
  const id = await begin(fleet);
  expect(await move(fleet, id, "tmux")).toMatchObject({
    status: 422,
    body: { code: "unsupported", detail, hint: `\`ao attach ${id}\` follows what it prints.` },
  });
  expect((await move(fleet, id, "process")).status).toBe(202);
  expect(await fleet.session(id)).toMatchObject({ runtime: "process", movedFrom: null, run: { n: 1, state: "alive" } });
  expect(await eventsOf(fleet, id)).not.toContain("session.moved");
});

it("a stopped session cannot be taken over", async () => {
  const fleet = await makeFleet();
  const id = await begin(fleet);
  await fleet.write("DELETE", `/api/sessions/${id}`);
  await reach(fleet, id, "stopped", ({ status }) => status === "stopped");
  const detail = `Session ${id} is stopped, so its agent is not running.`;
  expect(await move(fleet, id, "process")).toMatchObject({ status: 409, body: { code: "session-state", detail } });
});
