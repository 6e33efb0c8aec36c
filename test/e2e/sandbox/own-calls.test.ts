import { lstatSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PullRequestDetailView } from "../../../src/protocol/views/pull-request.ts";
import { until } from "../../support/until.ts";
import { begin, hasBubblewrap, note, run, stage } from "./stage.ts";

const ao = `node ${join(import.meta.dirname, "../../../dist/cli/ao.cjs")}`;

/** A request over the socket that a sandbox has, whatever the CLI would send. */
const raw = (method: string, path: string, token: string): string =>
  `curl -s -o /dev/null -w '%{http_code}' -X ${method} -H 'Authorization: Bearer '${token} --unix-socket "$AO_HOME/ao.sock" http://x${path}`;

describe.skipIf(!hasBubblewrap)(`an agent in a sandbox calls the daemon${note}`, () => {
  it("about itself, without a network and after a restart of the daemon, and about nothing else", async () => {
    const checks = { unit: { run: "true" } };
    const { fleet } = await stage({ plugin: "bubblewrap", network: "none" }, { checks });
    const { id } = await begin(fleet, "one");
    const other = await begin(fleet, "two");
    const inside = (command: string): Promise<string> => run(fleet, id, command);
    const pull = async (): Promise<PullRequestDetailView | null> =>
      (await fleet.api<PullRequestDetailView>("GET", `/api/sessions/${id}/pull-request`)).body;

    expect(await inside("echo b > b.txt && git add -A && git commit -qm inside")).toBe("");
    await until("the pull request", async () => ((await pull())?.number === 1 ? true : null));
    const comments = [{ path: "b.txt", line: 1, text: "why?" }];
    const body = { verdict: "request-changes", body: "Explain it", comments };
    expect((await fleet.write("POST", `/api/sessions/${id}/review`, body)).status).toBe(200);
    const thread = (await pull())?.threads.find(({ path }) => path === "b.txt")?.id ?? "";

    expect(await inside(`${ao} reply "#1" ${thread} "because"`)).toContain(`replied in ${thread}`);
    expect(await inside(`${ao} pr show "#1"`)).toContain("because");
    expect(await inside(`${ao} status ${id}`)).toContain(id);
    for (const command of ["list", `status ${other.id}`, `send ${other.id} hello`, "pr list", "stop --sessions"]) {
      expect(await inside(`${ao} ${command}`), command).toContain("A session's token may only read its own session");
    }
    expect(await inside(raw("GET", `/api/sessions/${id}`, "$AO_TOKEN"))).toBe("200");
    expect(await inside(raw("GET", `/api/sessions/${id}`, "nothing"))).toBe("401");
    expect(await inside(raw("GET", "/healthz", "$AO_TOKEN"))).toBe("403");
    expect(await inside(raw("POST", `/api/sessions/${id}/approve`, "$AO_TOKEN"))).toBe("403");
    expect(await inside('touch "$(dirname "$(readlink -f "$AO_HOME/ao.sock")")/x"')).toContain("Read-only file system");

    await fleet.kill();
    await fleet.start();
    await until("the daemon", async () => ((await pull())?.number === 1 ? true : null));
    expect(await inside(`${ao} reply "#1" ${thread} "still because"`)).toContain(`replied in ${thread}`);

    const folder = join(fleet.home, "sessions", id, "calls");
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
    await fleet.write("DELETE", `/api/sessions/${id}`);
    await until("the folder to go", () => lstatSync(folder, { throwIfNoEntry: false }) === undefined || null);
  });
});
