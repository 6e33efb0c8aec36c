import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { createPluginInstances } from "../../src/app/plugin-instances.ts";
import { encloseRun } from "../../src/app/sandbox/enclose.ts";
import { createLogins, type Logins } from "../../src/app/sandbox/home/logins.ts";
import { dropHome, openHome } from "../../src/app/sandbox/home/open-home.ts";
import type { SessionState } from "../../src/core/session/state.ts";
import { createNodeHost } from "../../src/platform/host.ts";
import { createSilentLog } from "../../src/platform/log.ts";
import { registry } from "../../src/plugins/registry.ts";
import type { AgentFolder } from "../../src/ports/agent.ts";
import { homePaths } from "../../src/protocol/home.ts";
import { aSession } from "../../src/testing/builders.ts";
import { makeRepo } from "../../src/testing/git-repo.ts";
import { diskFolder, tempDir } from "../../src/testing/temp.ts";

/** Agents whose program is not a vendor's own, so that nobody knows its folders. */
const WITHOUT_FOLDERS = ["acp", "command", "rehearsal"];

/** The plugins of all vendors. */
export const VENDORS: readonly string[] = registry
  .filter(({ slot, name }) => slot === "agent" && !WITHOUT_FOLDERS.includes(name))
  .map(({ name }) => name);

/** A user's machine with sandboxes for programs in the place of a vendor's. */
export interface Machine {
  readonly user: string;
  readonly aoHome: string;
  readonly logins: Logins;
  readonly folders: readonly AgentFolder[];
  /** Runs a shell script in a session's sandbox, as its next run; returns what it prints. */
  run(id: string, script: string): Promise<string>;
  /** What the script's sandbox is started with. */
  enclose(id: string, script: string): Promise<readonly string[]>;
  /** The daemon's next comparison of logins; everything counts as running. */
  compare(): Promise<void>;
  /** Ends a session and removes its workspace. */
  end(id: string): Promise<void>;
}

/** Sets up a machine; `prepare` fills the user's home. */
export function makeMachine(
  plugin: string,
  prepare: (user: string, folders: readonly AgentFolder[]) => void = () => undefined,
): Machine {
  const dir = tempDir("ao-machine-", diskFolder());
  const [user, aoHome] = [join(dir, "user"), join(dir, "ao")];
  for (const path of [user, join(aoHome, "sessions")]) mkdirSync(path, { recursive: true });
  const repo = makeRepo(join(dir, "repo"));
  const host = createNodeHost({ log: createSilentLog(), env: process.env });
  const paths = homePaths({ env: { AO_HOME: aoHome }, userHome: user, uid: 0, cwd: dir });
  const logins = createLogins(host, paths);
  const agent = createPluginInstances(host, aoHome).get("agent", { plugin, config: CONFIG }, repo);
  const environment = { PATH: process.env["PATH"] ?? "", HOME: user };
  const folders = agent.footprint?.(environment).folders ?? [];
  prepare(user, folders);
  const runs = new Map<string, number>();
  const workspaceOf = (id: string): string => {
    const path = join(dir, "worktrees", id);
    if (spawnSync("test", ["-d", path]).status !== 0) {
      spawnSync("git", ["-C", repo, "worktree", "add", "-q", "-b", id, path], { stdio: "inherit" });
    }
    return path;
  };
  const enclose = (id: string, script: string): Promise<readonly string[]> => {
    const n = (runs.get(id) ?? 0) + 1;
    runs.set(id, n);
    const session = sessionOf(plugin, { id, n, path: workspaceOf(id) });
    const sources = { host, paths, logins, agent, environment };
    return encloseRun(session, {
      ...{ host, paths, environment, projectPath: repo },
      argv: ["sh", "-c", script],
      runDir: join(aoHome, "sessions", id, "runs", String(n)),
      openHome: () => openHome(session, sources),
    });
  };
  return {
    ...{ user, aoHome, logins, folders, enclose },
    run: async (id, script) => {
      const [program = "", ...args] = await enclose(id, script);
      const { stdout, stderr } = spawnSync(program, args, { env: environment, encoding: "utf8" });
      return `${stdout}${stderr}`;
    },
    compare: () => logins.round(() => true),
    end: (id) => dropHome({ host, paths, logins }, id),
  };
}

const LARGE = 1024 * 1024;
const CONFIG = { permissions: "all", sandbox: "bubblewrap" };

function sessionOf(
  plugin: string,
  at: { readonly id: string; readonly n: number; readonly path: string },
): SessionState {
  const { id, n, path } = at;
  return aSession({ id, agent: { plugin, config: CONFIG }, workspace: { path }, run: { n } });
}

/** Every file, link and folder below a folder with its content, except these paths. */
export function snapshot(folder: string, without: readonly string[] = []): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const entries = names.map((name) => join(folder, name)).filter((path) => !without.includes(path));
  return Object.fromEntries(
    entries.sort().map((path) => {
      const stat = lstatSync(path);
      const content = stat.isSymbolicLink() ? readlinkSync(path) : stat.isFile() ? contentOf(path, stat.size) : "";
      return [path.slice(folder.length + 1), `${stat.mode.toString(8)} ${content}`];
    }),
  );
}

// A large one is only there to be too large.
function contentOf(path: string, size: number): string {
  return size > LARGE ? `${size} bytes` : readFileSync(path, "latin1");
}
