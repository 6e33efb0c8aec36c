import { mkdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { EventView } from "../../../src/protocol/views/event.ts";
import type { InboxView } from "../../../src/protocol/views/inbox.ts";
import type { IssueView } from "../../../src/protocol/views/project.ts";
import type { SessionDetailView, SessionView } from "../../../src/protocol/views/session.ts";
import { git, makeRepo } from "../../../src/testing/git-repo.ts";
import { diaryAgent } from "../../support/fleet.ts";
import { until, untilSeen } from "../../support/until.ts";
import { expectRefusal } from "./picture.ts";
import { main, makePlace, openShell, processesIn, run, type Shell } from "./shell.ts";

const SESSION_FIELDS =
  "id projectId title issue role status state evidence activity attention agent runtime branch workspacePath pullRequests cost createdAt updatedAt";

/** A newcomer: an empty home and a fresh repository. */
async function newcomer(): Promise<{
  readonly dir: string;
  readonly repo: string;
  readonly aoHome: string;
  readonly shell: Shell;
  readonly heard: (id: string) => readonly (string | undefined)[];
}> {
  const { dir, aoHome, env } = makePlace();
  const repo = makeRepo(join(dir, "web"));
  git(repo, "config", "--unset", "user.name");
  git(repo, "config", "--unset", "user.email");
  const diary = join(dir, "diary");
  mkdirSync(diary);
  const heard = (id: string): readonly (string | undefined)[] =>
    readFileSync(join(diary, `${id}.jsonl`), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { event: string; text?: string; choice?: string })
      .filter(({ event }) => event === "task" || event === "message" || event === "answer")
      .map((entry) => entry.text ?? entry.choice);
  return { dir, repo, aoHome, shell: openShell(repo, env), heard };
}

/** Sets the scripted agent for the project, as the error of `ao new` suggests. */
async function hire(shell: Shell, dir: string): Promise<void> {
  await shell.ok("config", "set", "projects.web.agentConfig", `{ command: [${JSON.stringify(diaryAgent)}] }`);
  await shell.ok("config", "set", "projects.web.agent", "command");
  await shell.ok("config", "set", "projects.web.env.AO_DIARY", join(dir, "diary"));
}

it("a newcomer gets from nothing to an agent working on an issue", async () => {
  const { dir, repo, aoHome, shell, heard } = await newcomer();
  expect(await shell.json("start", "--no-open", "--detach")).toEqual({
    url: expect.stringMatching(/^http:\/\/localhost:\d+$/),
    pid: expect.any(Number),
    socket: join(aoHome, "ao.sock"),
  });
  const file = join(repo, "agent-orchestrator.yaml");
  const written = readFileSync(file, "utf8");
  expect(git(repo, "status", "--porcelain")).toBe("");
  expectRefusal("new", await shell.ao("new", "too early"), /no agent.*\nhint: .*ao config set/);
  await hire(shell, dir);
  const comments = (text: string): readonly string[] => text.match(/#.*$/gm) ?? [];
  expect(comments(readFileSync(file, "utf8"))).toEqual(comments(written));
  expect(await shell.ok("config", "get", "projects.web.agent")).toBe("command\n");
  expect(await shell.ok("config", "validate")).toBe(`${file}: ok\n`);

  const body = "Say hello.\n!write hello.txt hello\n!commit greet";
  await shell.ok("issue", "new", "Greet people", "--body", body, "--label", "good-first");
  await shell.ok("issue", "new", "Another thing");
  const issues = await shell.json<{ data: readonly IssueView[] }>("issue", "list");
  expect(issues.data.map(({ id, title, labels }) => [id, title, labels])).toEqual([
    ["1", "Greet people", ["good-first"]],
    ["2", "Another thing", []],
  ]);
  expect(await shell.ok("issue", "list")).toMatch(/1 .*Greet people[\s\S]*2 .*Another thing/);
  expect(await shell.ok("issue", "show", "1")).toContain("Say hello.");

  const printed = await shell.ok("spawn", "1");
  expect(printed).toMatch(
    /^web-1\n {2}project {2}web\n {2}branch {3}agent\/issue-1\n {2}path {5}.+\n[\s\S]*attach {3}ao attach web-1\n/,
  );
  expect(await shell.ok("wait", "web-1", "--for", "idle")).toBe("web-1: idle\n");
  expect(heard("web-1")[0]).toContain(body);
  expectRefusal("new", await shell.ao("new", "--issue", "#1"), /1 is already assigned to web-1\.\nhint: .*web-1/);
  await shell.ok("wait", "web-1", "--for", "pr", "--timeout", "60s");
  await untilSeen("its review to be asked for", async () =>
    /web-1 +review-pending .* #1 /.test(await shell.ok("list")),
  );
  expect(await shell.ok("status", "1")).toMatch(
    /^web-1\n {2}status {3}review-pending[\s\S]*agent +command \(process\), idle/,
  );
  const status = await shell.json<SessionDetailView>("status", "web-1");
  expect(Object.keys(status)).toEqual(expect.arrayContaining(SESSION_FIELDS.split(" ")));
  expect(status).toMatchObject({ projectId: "web", issue: "1", title: "Greet people", role: "worker", state: "idle" });
  expect(status).toMatchObject({ agent: "command", runtime: "process", branch: "agent/issue-1" });
  expect(status.pullRequests).toMatchObject([{ key: "web/1", issue: "1", status: "review-pending", checks: [] }]);
  expect(status.cost).toMatchObject({ inputTokens: 10, outputTokens: 5, costUsd: 0.01 });
  const { data } = await shell.json<{ data: readonly SessionView[] }>("list");
  for (const session of data) expect(Object.keys(session)).toEqual(expect.arrayContaining(SESSION_FIELDS.split(" ")));
  expect(data).toMatchObject([
    {
      attention: {
        kind: "review",
        actions: expect.arrayContaining([expect.objectContaining({ action: "review", sessionId: "web-1" })]),
      },
    },
  ]);
  expect(await shell.ok("diff", "web-1")).toContain("+hello");
  expect(await shell.ok("logs", "web-1")).toMatch(/done with/);
});

it("a person uses send, pause, resume, inbox, answer, stop and restore", async () => {
  const { dir, repo, shell, heard } = await newcomer();
  await shell.ok("start", "--no-open", "--detach");
  await hire(shell, dir);
  await shell.ok("new", "Fix login");
  await shell.ok("wait", "web-fix-login", "--for", "idle");
  expect(await shell.ok("inbox")).toBe("Inbox is empty\n");
  expect(await shell.ok("send", "web-fix", "!write draft.txt half done")).toBe("delivered\n");
  await untilSeen("the uncommitted file", async () => (await shell.ok("inbox")).includes("1 file not committed"));

  await shell.ok("pause");
  expect(await shell.ok("send", "web-fix-login", "!ask Deploy?|yes|no")).toMatch(/^queued: .*paused/);
  expect(heard("web-fix-login")).not.toContain("!ask Deploy?|yes|no");
  await shell.ok("resume");
  await untilSeen("the question", async () => (await shell.ok("inbox")).includes("Deploy?"));
  const { data } = await shell.json<{ data: readonly InboxView[] }>("inbox");
  expect(data.find(({ kind }) => kind !== "uncommitted")).toMatchObject({ choices: ["yes", "no"] });
  expectRefusal(
    "answer",
    await shell.ao("answer", "web-fix-login", "maybe"),
    /not one of the choices.*\nhint: .*yes/,
    2,
  );
  expect(await shell.ok("answer", "web-fix-login", "2")).toBe("answered: no\n");
  await shell.ok("wait", "web-fix-login", "--for", "idle");
  expect(heard("web-fix-login").at(-1)).toBe("no");

  const { workspacePath } = await shell.json<SessionView>("status", "web-fix-login");
  expect(await shell.ok("stop", "web-fix-login")).toMatch(/saved in refs\/ao\/preserved\/.*ao restore web-fix-login/);
  expect(git(repo, "worktree", "list")).not.toContain(workspacePath);
  expect(await shell.ok("list")).toContain("no sessions");
  expect(await shell.ok("list", "--all")).toMatch(/web-fix-login +stopped/);
  expect(await shell.ok("cleanup", "--dry-run")).toMatch(/kept web-fix-login .*saved/);
  await shell.ok("restore", "web-fix-login");
  expect(readFileSync(join(workspacePath ?? "", "draft.txt"), "utf8")).toBe("half done");
  await shell.ok("send", "web-fix-login", "welcome back");
  await until("the message after the restore", () => heard("web-fix-login").includes("welcome back"));
});

it("logs, projects, doctor and version work, and agents keep running while the daemon restarts", async () => {
  const { dir, repo, shell } = await newcomer();
  await shell.ok("start", "--no-open", "--detach");
  await hire(shell, dir);
  await shell.ok("new", "Stay");
  await shell.ok("wait", "web-stay", "--for", "idle");
  const events = (await shell.ok("events", "--json")).trim().split("\n");
  const positions = events.map((line) => (JSON.parse(line) as EventView).position);
  expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
  expect(positions.length).toBeGreaterThan(5);
  expect(await shell.ok("events")).toContain("requested: Stay");

  const other = makeRepo(join(dir, "other"));
  expect(await shell.ok("add-project", other)).toContain(`project other: ${other}`);
  expect(await shell.ok("projects")).toMatch(/^ID.*\n.*web .*\n.*other|^ID.*\n.*other .*\n.*web/);
  await shell.ok("remove-project", "other");
  expect(await shell.json("projects")).toMatchObject({ data: [{ id: "web", path: repo, sessions: 1 }] });
  expect(JSON.parse(await shell.ok("api", "GET", "/sessions"))).toMatchObject({ data: [{ id: "web-stay" }] });
  expect(await shell.ok("doctor")).toMatch(/ok {4}git: .*[\s\S]*ok {4}daemon: pid/);
  expect(await shell.ok("version")).toMatch(/^\d+\.\d+\.\d+\n$/);

  const { pid } = (await shell.json<SessionDetailView>("status", "web-stay")).run;
  expect(await shell.ok("stop")).toBe("the daemon stopped; agents keep running in 1 session\n");
  expect(() => process.kill(pid ?? 0, 0)).not.toThrow();
  await shell.ok("start", "--no-open", "--detach");
  expect(await shell.json("status", "web-stay")).toMatchObject({ status: "idle", run: { pid, state: "alive" } });
  expect(await shell.ok("send", "web-stay", "still there?")).toBe("delivered\n");
  expect(await shell.ok("stop", "--sessions")).toMatch(
    /^the daemon and 1 session stopped: web-stay\n`ao restore SESSION`/,
  );
  expect(processesIn(shell.env["AO_HOME"] ?? "")).toEqual([]);
});

/** One GET over TCP as curl would send it. */
function get(url: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk: string) => {
        text += chunk;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    outgoing.once("error", reject);
    outgoing.end();
  });
}

it("over TCP the API requires a token and its own host names, and refuses other pages", async () => {
  const { shell } = await newcomer();
  const { url } = await shell.json<{ url: string }>("start", "--no-open", "--detach");
  const token = (await shell.ok("token")).trim();
  const call = (headers: Record<string, string>) => get(`${url}/api/sessions`, headers);
  const authorization = `Bearer ${token}`;
  expect(await call({ authorization })).toEqual({
    status: 200,
    text: expect.stringMatching(/^\{"data":\[\],"fleet":/),
  });
  for (const headers of [{}, { authorization: "Bearer wrong" }, { authorization: `Bearer ${token}x` }]) {
    expect(await call(headers)).toEqual({ status: 401, text: expect.stringContaining("ao token") });
  }
  expect(await call({ authorization, host: "evil.example" })).toEqual({
    status: 403,
    text: expect.stringContaining("dashboard.allowedHosts"),
  });
  for (const origin of ["https://evil.example", "http://localhost:1", "null"]) {
    expect(await call({ authorization, origin }), origin).toMatchObject({ status: 403 });
  }
  expect(await call({ authorization, origin: url })).toMatchObject({ status: 200 });
  expect((await get(`${url}/healthz`, {})).status).toBe(200);

  const made = (await shell.ok("token", "create", "ci")).trim();
  expect(await call({ authorization: `Bearer ${made}` })).toMatchObject({ status: 200 });
  expect(await shell.ok("token", "list")).toMatch(/NAME.*\nci /);
  await shell.ok("token", "revoke", "ci");
  expect(await call({ authorization: `Bearer ${made}` })).toMatchObject({ status: 401 });
});

it("output has no colors in a pipe or with NO_COLOR", async () => {
  const { dir, shell } = await newcomer();
  await shell.ok("start", "--no-open", "--detach");
  await hire(shell, dir);
  await shell.ok("new", "Paint");
  await shell.ok("wait", "web-paint", "--for", "idle");
  const commands = [
    ["list"],
    ["status", "web-paint"],
    ["logs", "web-paint"],
    ["doctor"],
    ["events"],
    ["status", "nobody"],
  ];
  for (const args of commands) {
    const piped = await shell.aoWith({ env: { FORCE_COLOR: "1", TERM: "xterm-256color" } }, ...args);
    expect(piped.out + piped.err, args.join(" ")).not.toContain("\u001b");
  }
  const onTerminal = async (env: Record<string, string>): Promise<string> => {
    const line = `'${process.execPath}' '${main}' list`;
    const typed = await run("script", ["-qec", line, "/dev/null"], {
      env: { ...shell.env, TERM: "xterm-256color", ...env },
    });
    return typed.out;
  };
  expect(await onTerminal({})).toContain("\u001b[");
  expect(await onTerminal({ NO_COLOR: "1" })).not.toContain("\u001b[3");
});
