import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRepo } from "../../../src/testing/git-repo.ts";
import { diaryAgent } from "../../support/fleet.ts";
import { main, makePlace, openShell } from "./shell.ts";

/** Runs the command without file watches, as on a machine where others use them all. */
const withoutWatches: readonly [string, ...string[]] = [
  ...(["unshare", "-Ur", "sh", "-c"] as const),
  'echo 0 >/proc/sys/user/max_inotify_instances && exec "$@"',
  "sh",
];
const [program, ...prefix] = withoutWatches;
const canTry = spawnSync(program, [...prefix, "true"]).status === 0;
const title = `without file watches${canTry ? "" : " (skipped: needs user namespaces)"}`;

describe.skipIf(!canTry)(title, () => {
  it("agents' output is still read at once", async () => {
    const { dir, env } = makePlace();
    const repo = makeRepo(join(dir, "web"));
    const shell = openShell(repo, env);
    await openShell(repo, env, [...withoutWatches, process.execPath, main]).ok("start", "--no-open", "--detach");
    await shell.ok("config", "set", "projects.web.agentConfig", `{ command: [${JSON.stringify(diaryAgent)}] }`);
    await shell.ok("config", "set", "projects.web.env.AO_DIARY", join(dir, "diary"));
    await shell.ok("config", "set", "projects.web.agent", "command");
    await shell.ok("new", "talk");
    await shell.ok("wait", "web-talk", "--for", "idle", "--timeout", "10s");
    expect(await shell.ok("send", "web-talk", "hello")).toBe("delivered\n");
  });
});
