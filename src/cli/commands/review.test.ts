import { expect, it, onTestFinished, vi } from "vitest";
import { serveDaemon } from "../../../test/support/serve-daemon.ts";
import { runCommand } from "../run-command.ts";
import { command } from "./review.ts";

it("does not resolve threads for an agent", async () => {
  const asked = await serveDaemon(() => ({ status: 200, body: {} }));
  vi.stubEnv("AO_SESSION", "app-1");
  onTestFinished(() => void vi.unstubAllEnvs());
  const resolving = runCommand(command, ["app-1", "--resolve", "rv-1.1"]);
  await expect(resolving).rejects.toMatchObject({
    code: "forbidden",
    message: "an agent cannot resolve threads (session app-1)",
  });
  expect(asked).toEqual([]);
});
