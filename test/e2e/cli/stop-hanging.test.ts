import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { until } from "../../support/until.ts";
import { makeTeam } from "./team.ts";

it.each(["postCreate", "post-checkout"])("stops a session whose %s hangs", async (what) => {
  const isHook = what === "post-checkout";
  const { shell, repo } = await makeTeam({ project: isHook ? {} : { postCreate: ["sleep 1000"] } });
  if (isHook) writeFileSync(join(repo, ".git/hooks/post-checkout"), "#!/bin/sh\nsleep 1000\n", { mode: 0o755 });
  const creating = shell.ao("new", "Job");
  await until("the session to be prepared", async () => {
    const { data } = await shell.json<{ readonly data: readonly { readonly status: string }[] }>("list");
    return data[0]?.status === "starting" || data[0]?.status === "preparing";
  });
  expect(await shell.ok("stop", "web-job")).toContain("web-job");
  const { data } = await shell.json<{ readonly data: readonly unknown[] }>("list");
  expect(data).toEqual([]);
  await creating;
});
