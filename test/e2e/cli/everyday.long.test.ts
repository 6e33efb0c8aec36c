import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SessionDetailView, SessionView } from "../../../src/protocol/views/session.ts";
import { git, makeRepo } from "../../../src/testing/git-repo.ts";
import { diaryAgent } from "../../support/fleet.ts";
import { until } from "../../support/until.ts";
import { expectRefusal } from "./picture.ts";
import { main, makePlace, openShell, run, type Shell } from "./shell.ts";

/** A project with the scripted agent, and a shell in it. */
async function aProject(): Promise<{ readonly dir: string; readonly repo: string; readonly shell: Shell }> {
  const { dir, env } = makePlace();
  const repo = makeRepo(join(dir, "web"));
  mkdirSync(join(dir, "diary"));
  const shell = openShell(repo, { ...env, SHELL: "/bin/sh" });
  await shell.ok("start", "--no-open", "--detach");
  await shell.ok("config", "set", "projects.web.env.AO_DIARY", join(dir, "diary"));
  await shell.ok("config", "set", "projects.web.agentConfig", `{ command: [${JSON.stringify(diaryAgent)}] }`);
  return { dir, repo, shell };
}

/** A command line typed in a terminal of its own. */
async function onTerminal(shell: Shell, cwd: string, line: string): Promise<string> {
  const ao = `ao() { '${process.execPath}' '${main}' "$@"; }`;
  const typed = await run("script", ["-qec", `${ao}; ${line}`, "/dev/null"], {
    cwd,
    env: { ...shell.env, NO_COLOR: "1" },
  });
  return typed.out.replaceAll("\r", "");
}

describe("a session's worktree", () => {
  it("is where path, run, shell and edit go, and commands in it use its session", async () => {
    const { dir, repo, shell } = await aProject();
    await shell.ok("new", "Fix login");
    await shell.ok("wait", "web-fix-login", "--for", "idle");
    const path = (await shell.ok("path", "web-fix")).trim();
    expect(path).toBe(join(repo, ".worktrees/fix-login"));
    expect(await shell.json("path", "web-fix")).toEqual({ session: "web-fix-login", path });

    expect(await shell.ok("run", "web-fix", "--", "git", "branch", "--show-current")).toBe("agent/fix-login\n");
    expect(await shell.ao("run", "web-fix", "--", "sh", "-c", "exit 7")).toMatchObject({ code: 7 });
    expect(await shell.ao("run", "web-fix", "--", "sh", "-c", "kill -9 $$")).toMatchObject({ code: 137 });
    expectRefusal(
      "run",
      await shell.ao("run", "web-fix", "--", "no-such-program"),
      /no-such-program: command not found/,
    );
    expectRefusal("run", await shell.ao("run", "web-fix"), /run what\?\nhint: ao run web-fix -- COMMAND/, 2);
    expectRefusal("run", await shell.ao("run", "--", "ls"), /needs SESSION outside a session's worktree/, 2);
    expectRefusal("run", await shell.ao("run"), /is not in this version/);

    const typed = await shell.aoWith({ input: "pwd; env | grep ^AO_TOKEN\nexit 3\n" }, "shell", "web-fix");
    expect(typed).toMatchObject({ code: 3, out: `${path}\n` });

    const seen = join(dir, "seen");
    const env = { AO_EDITOR: `sh -c 'printf "%s %s" "$PWD" "$1" > ${seen}' editor`, EDITOR: "false" };
    await shell.aoWith({ env }, "edit", "web-fix");
    expect(await shell.ok("run", "web-fix", "--", "cat", seen)).toBe(`${path} .`);
    expectRefusal("edit", await shell.ao("edit", "web-fix"), /no editor is set\nhint: .*AO_EDITOR/, 2);

    const inside = openShell(path, shell.env);
    mkdirSync(join(path, "deep"));
    expect(await inside.ok("status")).toMatch(/^web-fix-login\n/);
    expect(await inside.ok("send", "Also cover the empty password")).toBe("delivered\n");
    expect(await inside.ok("run", "--", "git", "branch", "--show-current")).toBe("agent/fix-login\n");
    expect((await openShell(join(path, "deep"), shell.env).ok("path")).trim()).toBe(path);
    expect(await inside.ok("stop", ".")).toMatch(/^web-fix-login: /);
    expectRefusal(
      "path",
      await shell.ao("path", "web-fix"),
      /has no worktree any more \(stopped\)\nhint: ao restore web-fix/,
    );
    expectRefusal(
      "diff",
      await shell.ao("diff"),
      /needs SESSION outside a session's worktree\nhint: usage: ao diff/,
      2,
    );
    expectRefusal("diff", await shell.ao("diff", "."), /not in a session's worktree/);
  });
});

describe("ao new", () => {
  it("accepts several words, a count, a link and text from an editor", async () => {
    const { dir, repo, shell } = await aProject();
    const diary = (id: string): string => readFileSync(join(dir, "diary", `${id}.jsonl`), "utf8");
    expect(await shell.ok("new", "Fix login", "-m", "It fails.", "-m", "Ask first.")).toBe(
      `${[
        "web-fix-login",
        "  project  web",
        "  branch   agent/fix-login",
        `  path     ${repo}/.worktrees/fix-login`,
        "  attach   ao attach web-fix-login",
        "  diff     ao diff web-fix-login",
        "  wait     ao wait web-fix-login --for pr",
      ].join("\n")}\n`,
    );
    await until("the task", () => diary("web-fix-login").includes("Fix login\\n\\nIt fails.\\n\\nAsk first."));

    const copies = await shell.json<{ data: readonly SessionView[] }>("new", "Try it", "--count", "2");
    expect(copies.data.map(({ id, branch }) => [id, branch])).toEqual([
      ["web-try-it", "agent/try-it"],
      ["web-try-it-2", "agent/try-it-2"],
    ]);
    expectRefusal("count", await shell.ao("new", "--issue", "1", "--count", "2"), /only one session can own/, 2);
    expectRefusal("model", await shell.ao("new", "x", "--model", "opus"), /agent "command" has no setting "model"/);
    expectRefusal("permissions", await shell.ao("new", "x", "--permissions", "edit"), /unknown.*\nhint: .*"edits"/, 2);

    await shell.ok("issue", "new", "Another one");
    const link = "https://github.com/o/r/issues/1";
    expectRefusal("link", await shell.ao("new", link), /has no issue at https.*\nhint: .*the agent gets the link/);
    const linked = await shell.aoWith({}, "new", "From GitHub", "--issue", link);
    expect(linked).toMatchObject({
      code: 0,
      err: `note: The tracker of web has no issue at ${link}; the agent gets the link as text.\n`,
    });
    await until("the link", () => diary("web-from-github").includes(`From GitHub\\n\\nIssue: ${link}`));

    writeFileSync(join(dir, "editor.sh"), 'printf "Write docs\\n\\n# no\\nAll of them.\\n" > "$1"\n');
    const typed = await onTerminal(shell, repo, `VISUAL='sh ${dir}/editor.sh' ao new`);
    expect(typed).toContain("web-write-docs\n");
    await until("the text", () => diary("web-write-docs").includes('"Write docs\\n\\nAll of them.'));
    expect(await onTerminal(shell, repo, "VISUAL=true ao new; echo code $?")).toMatch(
      /Nothing to do: the title is empty\.\n.*\ncode 1\n$/,
    );
    expectRefusal("new", await shell.ao("new"), /needs a title or an issue/, 2);
  });
});

describe("ao wait", () => {
  it("exits with a different code for done, timed out and needs a person", async () => {
    const { repo, shell } = await aProject();
    await shell.ok("new", "Nothing to do");
    const none = await shell.ao("wait", "web-nothing", "--for", "pr");
    expect(none).toMatchObject({
      code: 3,
      out: "",
      err: 'error: web-nothing-to-do needs you: the agent is idle without a commit\nhint: ao send web-nothing-to-do "..."\n',
    });
    await shell.ok("new", "Ask", "-m", "!ask Deploy?|yes|no");
    expect(await shell.ao("wait", "web-ask", "--for", "idle")).toMatchObject({
      code: 3,
      err: "error: web-ask needs you: Deploy?\nhint: ao answer web-ask\n",
    });
    const asked = await shell.ao("wait", "web-ask", "--for", "merged", "--json");
    expect(JSON.parse(asked.out)).toMatchObject({ id: "web-ask", outcome: "needs-you", reason: "Deploy?" });
    await shell.ok("send", "web-nothing", "!hang");
    const typed = await onTerminal(shell, repo, "ao wait web-nothing --for idle --timeout 1s; echo code $?");
    expect(typed).toMatch(/waiting for web-nothing-to-do to be idle \(\ds\) · working/);
    expect(typed).toMatch(/\u0007error: web-nothing-to-do is not idle yet: working, .*\ncode 1\n$/);
  });
});

describe("what a person snoozes or cancels", () => {
  it("is an inbox item for some hours, and a message still waiting behind a question", async () => {
    const { shell } = await aProject();
    await shell.ok("new", "Ask", "-m", "!ask Deploy?|yes|no");
    expect(await shell.ao("wait", "web-ask", "--for", "idle")).toMatchObject({ code: 3 });
    const output = shell.ok("logs", "web-ask", "--raw", "-f");

    const inbox = async (): Promise<readonly string[]> =>
      (await shell.json<{ data: readonly { id: string }[] }>("inbox")).data.map(({ id }) => id);
    const [item = ""] = await inbox();
    expect(await shell.ok("ack", item, "--for", "2h")).toBe(`snoozed ${item} for 2h\n`);
    expect(await inbox()).not.toContain(item);
    expectRefusal("ack", await shell.ao("ack", item, "--for", "soon"), /--for/, 2);

    const { id: messageId } = await shell.json<{ id: string }>("send", "web-ask", "Never mind");
    expect(await shell.ok("unsend", "web-ask", messageId)).toBe(`cancelled ${messageId}\n`);
    const { messages } = await shell.json<SessionDetailView>("status", "web-ask");
    const [task] = messages;
    expect(messages.find(({ id }) => id === messageId)?.delivery).toBe("withdrawn");
    expectRefusal("unsend", await shell.ao("unsend", "web-ask", task?.id ?? ""), /hint: /);

    await shell.ok("stop", "web-ask");
    const printed = await output;
    expect(printed).toContain("Deploy?");
    expect(printed).not.toContain("Never mind");
  });
});

describe("the rows of the last list", () => {
  it("name sessions on the terminal that printed it; a number that is also an issue is refused", async () => {
    const { repo, shell } = await aProject();
    await shell.ok("pause");
    for (const title of ["One", "Two", "Three"]) await shell.ok("new", title);
    const rows = (await shell.json<{ data: readonly { id: string }[] }>("list")).data.map(({ id }) => id);
    expect(rows).toHaveLength(3);
    // A separate program prints the table; options go to the full one.
    const [quick = "", whole = ""] = [await shell.ok("list"), await shell.ok("list", "--project", "web")];
    const withoutAges = (table: string): string => table.replace(/ +\d+[sm] +/g, " ");
    expect(quick).toContain("web-three");
    expect(withoutAges(quick)).toBe(withoutAges(whole));
    // Later sessions change the list, not what was printed.
    const line = "ao list >/dev/tty; ao new Later >/dev/null; for n in @1 @3 2; do ao status $n | head -1; done";
    expect(await onTerminal(shell, repo, line)).toMatch(
      new RegExp(`${rows[0]}\\n${rows[2]}\\n2 is ${rows[1]} \\(row 2 of the last .ao list.\\)\\n${rows[1]}\\n$`),
    );
    expect(await onTerminal(shell, repo, "ao status @1")).toMatch(/there is no row 1\nhint: Run `ao list`/);
    expectRefusal("status", await shell.ao("status", "1"), /No session of web works on issue 1/);

    await shell.ok("issue", "new", "First issue");
    expect(await onTerminal(shell, repo, "ao list; ao status 1")).toMatch(
      /"1" could be issue #1 or row 1 of the last `ao list` \(web-.*\)\nhint: Write '#1' for the first, @1 for the row\./,
    );
    await shell.ok("new", "--issue", "1");
    const id = (await shell.json<{ data: readonly { id: string }[] }>("list")).data.findIndex(
      (one) => one.id === "web-1",
    );
    expect(
      await onTerminal(shell, repo, `ao list >/dev/tty; ao status '#1' | head -1; ao status @${id + 1} | head -1`),
    ).toMatch(/web-1\nweb-1\n$/);
    expect(git(repo, "worktree", "list").trim().split("\n")).toHaveLength(1);
  });
});
