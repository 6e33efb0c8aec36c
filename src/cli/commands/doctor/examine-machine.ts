import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { AoError } from "../../../core/errors.ts";
import type { HomePaths } from "../../../protocol/home.ts";
import type { FindingView } from "../../../protocol/views/daemon.ts";
import type { Client } from "../../client/client.ts";
import { fetchHealth } from "../../client/fetch-health.ts";
import { codeOf } from "../../client/http.ts";
import { makeFolder } from "../../client/make-folder.ts";

/** A finding from this process or the daemon. */
export interface Finding extends FindingView {
  /** Set if `--fix` can repair it. */
  readonly repair?: "store";
}

type Version = readonly [number, number];

const MIN_NODE: Version = [20, 19];
const MIN_GIT: Version = [2, 25];

/** Checks this machine; asks the daemon only for what it alone knows. */
export async function examine(client: Client): Promise<readonly Finding[]> {
  const daemon = await checkDaemon(client);
  const agents = daemon.state === "ok" ? await checkAgents(client) : [];
  const own = await checkConfiguration();
  return [
    judgeVersion("node", process.version, MIN_NODE, "https://nodejs.org"),
    judgeVersion("git", versionOf("git", "--version"), MIN_GIT, "your package manager"),
    checkTmux(),
    checkHome(client.paths),
    daemon,
    ...agents,
    // For a registered project the daemon knows more than its file.
    ...own.filter(({ name }) => !agents.some((agent) => agent.name === name)),
  ];
}

async function checkAgents(client: Client): Promise<readonly Finding[]> {
  const path = process.env["PATH"];
  return (await client.call("GET /api/doctor", { input: path === undefined ? {} : { path } })).data;
}

/** Compares a program's version with the oldest that works; null: not installed. */
export function judgeVersion(name: string, said: string | null, least: Version, source: string): Finding {
  const wanted = least.join(".");
  if (said === null) {
    return { name, state: "fail", text: "is not installed", fix: `Install ${name} ${wanted} or newer from ${source}.` };
  }
  const [, major = "0", minor = "0", rest = ""] = /(\d+)\.(\d+)(\S*)/.exec(said) ?? [];
  const isOld = Number(major) < least[0] || (Number(major) === least[0] && Number(minor) < least[1]);
  const text = `${major}.${minor}${rest}`;
  if (isOld) return { name, state: "fail", text, fix: `Install ${name} ${wanted} or newer from ${source}.` };
  return { name, state: "ok", text, fix: null };
}

function checkTmux(): Finding {
  const version = versionOf("tmux", "-V");
  if (version !== null) return { name: "tmux", state: "ok", text: version.replace(/^tmux /, ""), fix: null };
  const fix = "Install tmux with your package manager to attach to agents; runtime process works without it.";
  return { name: "tmux", state: "warn", text: "is not installed", fix };
}

function checkHome(paths: HomePaths): Finding {
  try {
    makeFolder(paths.home);
    accessSync(paths.home, constants.R_OK | constants.W_OK | constants.X_OK);
    return { name: "home", state: "ok", text: paths.home, fix: null };
  } catch (error) {
    const text = `${paths.home} cannot be written (${codeOf(error) ?? String(error)})`;
    return { name: "home", state: "fail", text, fix: "Make it writable, or set AO_HOME to a folder that is." };
  }
}

/** Is the daemon running, and can it use its store? */
export async function checkDaemon(client: Client): Promise<Finding> {
  try {
    const health = await fetchHealth(client);
    if (health.trouble === null)
      return { name: "daemon", state: "ok", text: `pid ${health.pid}, the store is readable`, fix: null };
    return { name: "daemon", state: "fail", text: health.trouble, fix: `See ${client.paths.log}.` };
  } catch (error) {
    if (!(error instanceof AoError)) throw error;
    const fix = error.hint ?? `See ${client.paths.log}.`;
    if (error.code !== "store-corrupt") return { name: "daemon", state: "fail", text: error.message, fix };
    return { name: "store", state: "fail", text: error.message, fix: "ao doctor --fix", repair: "store" };
  }
}

async function checkConfiguration(): Promise<readonly Finding[]> {
  const { findConfig } = await import("../../../config/load.ts");
  const name = "config";
  try {
    const file = await findConfig({ env: process.env, cwd: process.cwd(), home: homedir() });
    if (file === null) return [{ name, state: "ok", text: "no agent-orchestrator.yaml here", fix: null }];
    const { checkConfig } = await import("../config/check-config.ts");
    const { loaded, notes } = await checkConfig(file);
    return [
      { name, state: "ok", text: file, fix: null },
      ...notes.map((text): Finding => ({ name, state: "warn", text, fix: null })),
      ...checkPrograms(loaded.config.projects),
    ];
  } catch (error) {
    if (!(error instanceof AoError)) throw error;
    return [{ name, state: "fail", text: error.message, fix: error.hint ?? null }];
  }
}

interface ProjectAgents {
  readonly agent: { readonly plugin: string; readonly config: Readonly<Record<string, unknown>> } | null;
  readonly agentConfig?: Readonly<Record<string, unknown>> | null;
}

/** The programs of the projects' agents; a relative path belongs to the workspace, which does not exist yet. */
function checkPrograms(projects: Readonly<Record<string, ProjectAgents>>): readonly Finding[] {
  return Object.entries(projects).flatMap(([id, project]): readonly Finding[] => {
    const written = project.agent?.config["command"] ?? project.agentConfig?.["command"];
    const program: unknown = Array.isArray(written) ? written[0] : undefined;
    const name = `agent of ${id}`;
    if (project.agent === null) {
      const fix = `Run \`ao start\`, then \`ao config set projects.${id}.agent NAME\` (docs/user/agents.md lists the names).`;
      return [{ name, state: "warn", text: "no agent configured", fix }];
    }
    if (typeof program !== "string" || /^[^/].*\//.test(program)) return [];
    const found = findProgram(program);
    if (found !== null) return [{ name, state: "ok", text: found, fix: null }];
    return [
      {
        name,
        state: "fail",
        text: `${program} is not ${program.startsWith("/") ? "there" : "on PATH"}`,
        fix: `Install ${program}, or correct the file.`,
      },
    ];
  });
}

function findProgram(name: string): string | null {
  if (name.startsWith("/")) return existsSync(name) ? name : null;
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}

function versionOf(program: string, option: string): string | null {
  const result = spawnSync(program, [option], { encoding: "utf8", timeout: 10_000 });
  return result.error === undefined && result.status === 0 ? result.stdout.trim() : null;
}
