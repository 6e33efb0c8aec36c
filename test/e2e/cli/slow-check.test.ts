import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { main, run } from "./shell.ts";
import { makeTeam } from "./team.ts";

/** Node warns after eleven listeners, which takes `ao` half a minute; this process warns after three. */
const IMPATIENT = 'require("node:events").setMaxListeners(3);\n';

it("prints nothing but the result when a merge waits for a slow check", async () => {
  const checks = { unit: { run: "true" }, slow: { run: "sleep 10" } };
  const { dir, repo, shell } = await makeTeam({ project: { checks, policies: { approvals: 0 } } });
  await shell.ok("new", "fine");
  await shell.ok("wait", "web-fine", "--for", "pr", "--timeout", "60s");
  writeFileSync(join(dir, "impatient.cjs"), IMPATIENT);
  const args = ["--require", join(dir, "impatient.cjs"), main, "merge", "web-fine"];
  const merged = await run(process.execPath, args, { cwd: repo, env: shell.env });
  expect(merged).toEqual({ code: 0, out: expect.stringMatching(/^merged #1 as [0-9a-f]{10}\n$/), err: "" });
});
