import { expect, it } from "vitest";
import type { InboxView } from "../../../src/protocol/views/inbox.ts";
import { git } from "../../../src/testing/git-repo.ts";
import { makeFleet } from "../../support/fleet.ts";
import { until, untilSeen } from "../../support/until.ts";
import { openShell, plainEnvironment } from "./shell.ts";

it("reminds an agent of uncommitted work, then asks a person, and opens a pull request for their commit", async () => {
  const fleet = await makeFleet({ project: { reactions: {} } });
  await fleet.start();
  const shell = openShell(fleet.repo, { ...plainEnvironment(fleet.dir), AO_HOME: fleet.home });
  await shell.ok("add-project", ".");
  await shell.ok("new", "!write a.txt one");
  const id = "demo-write-a-txt-one";
  const inbox = async (): Promise<readonly InboxView[]> =>
    (await fleet.api<{ data: readonly InboxView[] }>("GET", "/api/inbox")).body.data;
  await until("a person to be asked", async () => (await inbox()).length > 0);
  expect(await inbox()).toMatchObject([
    {
      kind: "uncommitted",
      actions: expect.arrayContaining([expect.objectContaining({ action: "commit", sessionId: id })]),
    },
  ]);
  const told = fleet.diary(id).filter(({ event }) => event === "message");
  expect(told.map(({ text }) => text)).toEqual([
    expect.stringMatching(/1 file not committed on branch .*\.\n<{8} files not committed .*\na\.txt\n/),
  ]);
  expect(await fleet.session(id)).toMatchObject({ uncommitted: 1, status: "idle", pullRequests: [] });
  expect((await fleet.session(id)).evidence).toMatch(/^1 file not committed; /);

  expect(await shell.ok("commit", id, "-m", "Write one")).toMatch(
    /^committed 1 file as [0-9a-f]{7} on agent\/\S+, pull request #1\n$/,
  );
  const done = await fleet.session(id);
  expect(done).toMatchObject({ uncommitted: 0, pullRequests: [{ number: 1 }] });
  expect(git(fleet.repo, "log", "-1", "--format=%s", done.branch)).toBe("Write one\n");
  expect((await inbox()).filter(({ kind }) => kind === "uncommitted")).toEqual([]);
  expect(await shell.ao("commit", id, "-m", "Again")).toMatchObject({
    code: 1,
    err: expect.stringContaining(`${id} has nothing to commit.`),
  });

  await shell.ok("send", id, "!write b.txt two\n!hang");
  await until("the turn", async () => (await fleet.session(id)).agentStatus === "working");
  const early = await shell.ao("commit", id, "-m", "Two");
  expect(early).toMatchObject({ code: 1, err: expect.stringMatching(/half done.*\n.*ao wait .*--now/s) });
  await untilSeen("the file", async () => (await shell.ao("commit", id, "-m", "Two", "--now")).code === 0);
  expect(git(fleet.repo, "log", "-1", "--format=%s", done.branch)).toBe("Two\n");
});
