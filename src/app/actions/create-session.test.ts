import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openActionsBed } from "../../../test/support/actions-bed.ts";
import { factsOf } from "../../core/project/state.ts";
import { tempDir } from "../../testing/temp.ts";

it("uses what the configuration file says now, before a watch noticed the change", async () => {
  const { bed, kernel, actions } = await openActionsBed();
  await kernel.host.fs.makeDir("/bin");
  await kernel.host.fs.writeText("/bin/sh", "", { mode: 0o755 });
  const { view } = bed.engine.loop.world;
  const project = view.project("demo") ?? expect.unreachable("there is no project");
  const branches = join(project.path, ".git/refs/heads");
  await kernel.host.fs.makeDir(branches);
  await kernel.host.fs.writeText(join(branches, "trunk"), `${"a".repeat(40)}\n`);
  const configFile = join(tempDir(), "agent-orchestrator.yaml");
  await bed.submit({ type: "project.register", isUpdate: true, ...factsOf(project), configFile });
  const settings = "defaultBranch: trunk, sessionPrefix: shop, limits: { perProject: 3 }, agent: codex";
  writeFileSync(configFile, `projects: { demo: { path: ${project.path}, ${settings} } }\n`);
  const { sessionId } = await actions.createSession(
    { projectId: "demo", title: "Fix the cart", env: { PATH: "/bin" } },
    {},
  );
  expect(sessionId).toBe("shop-fix-the-cart");
  expect(view.project("demo")).toMatchObject({ defaultBranch: "trunk", limit: 3 });
});
