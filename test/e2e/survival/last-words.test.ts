import { expect, it } from "vitest";
import { makeFleet } from "../../support/fleet.ts";
import { open, reach } from "./session.ts";

it("the last output of a failed program is shown with its exit", async () => {
  const fleet = await makeFleet({ agentConfig: { command: ["sh", "-c", 'echo "no key in sight" >&2; exit 3'] } });
  await open(fleet);
  const { body } = await fleet.write<{ id: string }>("POST", "/api/sessions", { title: "talk", prompt: "task" });
  const seen = await reach(fleet, body.id, "ended", ({ status }) => status === "restarting");
  expect(seen.evidence).toContain("exit code 3: no key in sight");
});
