import { join } from "node:path";
import { CALLS_FOLDER, CALLS_SOCKET, readSandbox, type Sandbox } from "../../core/sandbox.ts";
import type { SessionState } from "../../core/session/state.ts";
import type { EnclosedProgram } from "../../engine/executor.ts";
import type { Host } from "../../ports/host.ts";
import type { HomePaths } from "../../protocol/home.ts";
import { findCommonDir, requireFolders } from "../../providers/git/repository.ts";
import type { PlaceRule } from "./bubblewrap.ts";
import { openCaches } from "./caches.ts";
import { encloseProgram, existing } from "./enclose-program.ts";
import { gitRules } from "./git-rules.ts";
import type { OpenHome } from "./home/open-home.ts";
import { programFolders } from "./program-folders.ts";

/** A sandbox has its own, so the machine's shared memory below it is hidden. */
const DEVICES = "/dev";

/** A program and everything that determines what it may reach. */
interface Enclosure extends EnclosedProgram {
  readonly host: Host;
  readonly paths: HomePaths;
  readonly projectPath: string;
  /** Answers the session's own calls to the daemon; returns the folder of the socket. Absent: no calls. */
  readonly openCalls?: () => Promise<string>;
  /** The agent's own program, unless its settings name another. */
  readonly program?: string | undefined;
  /** What the agent's program has instead of the user's own folders; absent: the program needs none. */
  readonly openHome?: () => Promise<OpenHome>;
}

/** A program's arguments, after those of the sandbox that the agent's settings require. */
export async function encloseRun(session: SessionState, where: Enclosure): Promise<readonly string[]> {
  const sandbox = readSandbox(session.agent.config["sandbox"]);
  if (sandbox === null) return where.argv;
  const { host, environment } = where;
  const [workspace = ""] = await existing(host, [session.workspace.path ?? ""]);
  const covers = await coverRules(session.id, where);
  const home = await where.openHome?.();
  const caches = await openCaches(where, session.projectId, {
    environment,
    writable: await openPaths(sandbox, where, workspace),
  });
  const rules = [
    ...covers,
    ...(await callRules(where)),
    ...caches.rules,
    ...(await shownRules({ ...where, program: configuredProgram(session) ?? where.program }, covers)),
    { path: workspace, as: "write" } as const,
    ...(await findGitRules({ sessionId: session.id, workspace, covers }, where)),
    ...(home?.rules ?? []),
    ...(await writeRules(session.id, sandbox, where)),
  ];
  return encloseProgram(host, where, {
    rules,
    network: sandbox.network,
    cwd: workspace,
    environment: {
      ...caches.environment,
      ...home?.environment,
      ...(environment["TMPDIR"] === undefined ? {} : { TMPDIR: "/tmp" }),
    },
  });
}

function configuredProgram({ agent }: SessionState): string | undefined {
  const { command } = agent.config;
  return Array.isArray(command) && typeof command[0] === "string" ? command[0] : undefined;
}

async function findGitRules(
  {
    sessionId,
    workspace,
    covers,
  }: { readonly sessionId: string; readonly workspace: string; readonly covers: readonly PlaceRule[] },
  { host, paths, projectPath }: Enclosure,
): Promise<readonly PlaceRule[]> {
  const { fs } = host;
  const commonDir = await findCommonDir(fs, projectPath);
  const folders = await requireFolders(fs, workspace);
  if (folders === null) return [];
  // A repository of its own reads the project's objects. What a sandbox may write does not decide what it can read.
  const isOwn = folders.gitDir === folders.commonDir;
  const borrowed = [...(isOwn ? [join(commonDir, "objects")] : []), ...(await findBorrowed(host, commonDir))];
  const isHidden = (path: string): boolean =>
    covers.some((cover) => cover.as === "hidden" && `${path}/`.startsWith(`${cover.path}/`));
  return [
    ...(await gitRules(fs, folders, join(paths.sessions, sessionId, "git"))),
    ...borrowed.filter((path) => !isHidden(path)).map((path): PlaceRule => ({ path, as: "read" })),
  ];
}

/** Object folders that the project's repository borrows; listed because they may be where nothing else is shown. */
async function findBorrowed(host: Host, commonDir: string): Promise<readonly string[]> {
  const text = (await host.fs.readText(join(commonDir, "objects/info/alternates"))) ?? "";
  const folders = await existing(
    host,
    text.split("\n").filter((line) => line.startsWith("/")),
  );
  const kinds = await Promise.all(folders.map((path) => host.fs.stat(path)));
  return folders.filter((_, at) => kinds[at]?.kind === "directory");
}

/** A session's own temporary folder, which is /tmp in its sandbox; removed with the workspace. */
export function tempFolder(paths: HomePaths, sessionId: string): string {
  return join(paths.sessions, sessionId, "tmp");
}

// Temporary folders become the session's own; tokens, the store, other sessions and this user's sockets are hidden.
async function coverRules(sessionId: string, { host, paths, environment }: Enclosure): Promise<readonly PlaceRule[]> {
  const from = tempFolder(paths, sessionId);
  await host.fs.makeDir(from, { mode: 0o700 });
  const closed = [paths.home, paths.socketFolder ?? "", environment["XDG_RUNTIME_DIR"] ?? ""];
  return [
    ...(await existing(host, ["/tmp", "/var/tmp"])).map((path): PlaceRule => ({ path, as: "write", from })),
    ...(await existing(host, closed)).map((path): PlaceRule => ({ path, as: "hidden" })),
  ];
}

// `ao` finds the daemon where it always does; what it finds there answers only this session.
async function callRules({ paths, openCalls }: Enclosure): Promise<readonly PlaceRule[]> {
  if (openCalls === undefined) return [];
  return [
    { path: CALLS_FOLDER, as: "read", from: await openCalls() },
    { path: paths.socket, as: "link", from: `${CALLS_FOLDER}/${CALLS_SOCKET}` },
  ];
}

// Folders in which a package manager's own cache is writable already.
async function openPaths(
  sandbox: Sandbox,
  { host, environment }: Enclosure,
  workspace: string,
): Promise<readonly string[]> {
  const home = environment["HOME"] ?? "";
  const asked = sandbox.writable.map((path) => path.replace(/^~(?=\/|$)/, home));
  return ["/tmp", "/var/tmp", workspace, ...(await existing(host, asked))];
}

// What is readable elsewhere is also readable below a covered folder. Programs are where people put them, such as /opt, or /tmp for a trial; but
// what is hidden stays so.
async function shownRules(where: Enclosure, covers: readonly PlaceRule[]): Promise<readonly PlaceRule[]> {
  const { host, projectPath, environment, argv, program = null } = where;
  const hidden = covers.filter(({ as }) => as === "hidden");
  const isBelow = (path: string, folders: readonly string[]): boolean =>
    folders.some((folder) => path.startsWith(`${folder}/`));
  const programs = await existing(host, await programFolders(host, { environment, cwd: projectPath, program }));
  const shown = await existing(host, [
    ...[projectPath, environment["HOME"] ?? "", join(host.assets.holder, "../../..")],
    ...[...argv, host.assets.gate.program].filter((argument) => argument.startsWith("/")),
  ]);
  const covered = [...covers.map(({ path }) => path), DEVICES];
  const visible = programs.filter((path) => !isBelow(`${path}/`, [...hidden.map(({ path: at }) => at)]));
  return [...new Set([...shown, ...visible])]
    .filter((path) => isBelow(path, covered))
    .map((path): PlaceRule => ({ path, as: "read" }));
}

async function writeRules(
  sessionId: string,
  sandbox: Sandbox,
  { host, paths, environment }: Enclosure,
): Promise<readonly PlaceRule[]> {
  const home = environment["HOME"] ?? "";
  const bridge = join(paths.sessions, sessionId, "bridge");
  await host.fs.makeDir(bridge, { mode: 0o700 });
  const asked = sandbox.writable.map((path) => path.replace(/^~(?=\/|$)/, home));
  const found = await existing(host, [bridge, ...asked]);
  return found.map((path): PlaceRule => ({ path, as: "write" }));
}
