import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempDir } from "../../../src/testing/temp.ts";
import { until } from "../../support/until.ts";
import { makeTeam } from "./team.ts";

it("postCreate and preRemove get the project's environment and the PATH of whoever started the session", async () => {
  const dir = tempDir();
  const tools = join(dir, "tools");
  mkdirSync(tools);
  writeFileSync(join(tools, "stage"), `#!/bin/sh\necho "$1 on $STAGE" >>'${dir}/said'\n`, { mode: 0o755 });
  const { shell } = await makeTeam({
    project: { env: { STAGE: "staging" }, postCreate: ["stage made"], preRemove: ["stage removed"] },
  });
  // The daemon started without the tools.
  const env = { PATH: `${tools}:${shell.env["PATH"]}` };
  const { code, err } = await shell.aoWith({ env }, "new", "nothing");
  expect(code, err).toBe(0);
  expect(readFileSync(join(dir, "said"), "utf8")).toBe("made on staging\n");
  expect(await shell.ok("doctor", "--env", "web-nothing")).toMatch(/STAGE.*postCreate/);
  await shell.ok("stop", "web-nothing");
  await until(
    "preRemove to run",
    () => readFileSync(join(dir, "said"), "utf8") === "made on staging\nremoved on staging\n",
  );
});
