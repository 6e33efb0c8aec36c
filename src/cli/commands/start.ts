import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { foldersAbove } from "../../config/folders-above.ts";
import { AoError } from "../../core/errors.ts";
import type { HealthView } from "../../protocol/views/daemon.ts";
import type { AddedProjects } from "../../protocol/views/project.ts";
import { canAsk } from "../args/ask.ts";
import { misuse } from "../args/usage-error.ts";
import { hasDisplay, openInBrowser, opensByItself, tunnelHint } from "../client/browser.ts";
import { type Client, connect } from "../client/client.ts";
import { readHealth, startDaemon } from "../client/launch-daemon.ts";
import { registerProject, reportRegistered } from "../client/register-project.ts";
import { isSilent, silent } from "../client/while-answering.ts";
import { defineCommand } from "../command.ts";
import { note, print, printJson, withProgress } from "../views/print.ts";
import { fetchSessions, watchSessions } from "../views/show-sessions.ts";
import { untilInterrupted } from "../views/watch.ts";
import { cloneRepository, isRepositoryUrl } from "./start/clone.ts";

export const command = defineCommand({
  name: "start",
  summary: "start or join the daemon and register projects",
  usage: [
    "[PATH | URL ...] [--into FOLDER] [--agent NAME] [--config FILE] [--port N] [--host ADDRESS] [--no-open] [--foreground] [--json]",
  ],
  arguments: [
    { name: "PATH | URL", summary: "repositories; a URL is cloned to ./NAME first", optional: true, many: true },
  ],
  options: {
    into: { type: "string", value: "FOLDER", summary: "where to clone a URL, instead of ./NAME" },
    agent: { type: "string", value: "NAME", summary: "the agent for a new project, instead of the one found on PATH" },
    config: { type: "string", value: "FILE", summary: "agent-orchestrator.yaml, if it is not in the repository" },
    port: { type: "string", value: "N", summary: "port of the dashboard and API (0: any free one)" },
    host: { type: "string", value: "ADDRESS", summary: "address to listen on" },
    "no-open": { type: "boolean", summary: "do not open a browser" },
    foreground: { type: "boolean", short: "f", summary: "show the sessions until Ctrl+C; the daemon keeps running" },
    detach: { type: "boolean", short: "d", summary: "return at once (the default)" },
    json: { type: "boolean", summary: "print {url, pid, socket}" },
  },
  examples: ["ao start", "ao start ~/code/my-app https://github.com/your-org/your-repo", "ao start --agent codex"],
  details:
    "Without a path: the repository you are in, or the projects of --config, AO_CONFIG or the nearest\n" +
    "agent-orchestrator.yaml above. A URL on GitHub or GitLab also sets where issues and pull requests are.\n" +
    "For a new project it writes that file, with the agent found on PATH\n" +
    "(it asks if there are several; without a terminal it takes the first of claude-code, codex, opencode, gemini,\n" +
    "copilot, kimicode, qwen, goose, aider, cursor) and what the agent may do without asking. The daemon runs in the\n" +
    "background.",
  async run({ args, options }) {
    const isOneUrl = args.length === 1 && args.every(isRepositoryUrl);
    if (options.into !== undefined && !isOneUrl) throw misuse("--into needs one URL", "ao start URL --into FOLDER");
    const client = connect();
    const health = await ensureDaemon(client, readPort(options.port), options.host);
    const json = options.json === true;
    for (const written of args.length > 0 ? args : foldersHere(options.config)) {
      const useForge = isRepositoryUrl(written);
      const path = useForge ? await cloneRepository(written, options.into) : existing(written);
      const { config, agent } = options;
      const registered = await registerProject(client, { path, config, agent, useForge });
      if (!json) await report(client, registered);
      else for (const text of registered.notes) note(`note: ${text}`);
    }
    if (json) return printJson({ url: health.url, pid: health.pid, socket: health.socket });
    print(`ao is running${health.url === null ? "" : ` at ${health.url}`} (pid ${health.pid})`);
    if (health.url !== null) await offerPage(client, options["no-open"] === true);
    if (options.foreground === true && process.stdout.isTTY) await stayAttached(client);
    else print(await nextStep(client));
  },
});

/** A file that came with a clone waits until a person accepts it; the person is here. */
async function report(client: Client, registered: AddedProjects): Promise<void> {
  reportRegistered(registered);
  if (!canAsk()) return;
  const { offerToAccept } = await import("./config/accept.ts");
  await offerToAccept(
    client,
    registered.data.map(({ id }) => id),
  );
}

/** The current activity, and the next command to type. */
export async function nextStep(client: Client): Promise<string> {
  const { data: projects } = await client.call("GET /api/projects");
  if (projects.length === 0) return "next: ao start PATH";
  const sessions = await fetchSessions(client, {});
  if (sessions.length === 0) return 'next: ao new "what to do"';
  const waiting = sessions.filter((session) => session.attention !== null).length;
  const count = `${sessions.length} ${sessions.length === 1 ? "session" : "sessions"}`;
  return waiting === 0
    ? `${count}: ao list`
    : `${count}, ${waiting === 1 ? "1 needs" : `${waiting} need`} you: ao inbox`;
}

/** Opens the dashboard if someone can see it; prints the link that signs a browser in. */
async function offerPage(client: Client, isRefused: boolean): Promise<void> {
  const link = async (): Promise<string> => (await client.call("POST /api/link", { input: {} })).url;
  const opens = opensByItself(process.env, process.platform, process.stdout.isTTY);
  if (!isRefused && opens) await openInBrowser(await link());
  const url = await link();
  print(`dashboard: ${url} (one-time link, valid 5 minutes; \`ao open\` makes a new one)`);
  if (!hasDisplay(process.env, process.platform)) note(tunnelHint(url));
}

async function ensureDaemon(client: Client, port: number | null, host: string | undefined): Promise<HealthView> {
  const running = await readHealth(client.paths);
  if (running === null) {
    if (await isSilent(client.paths)) throw silent(client.paths);
    const env = {
      ...(port === null ? {} : { AO_PORT: String(port) }),
      ...(host === undefined ? {} : { AO_HOST: host }),
    };
    return withProgress("starting the daemon", startDaemon(client.paths, { env }));
  }
  const url = running.url === null ? null : new URL(running.url);
  const isOther =
    (port !== null && port !== 0 && url?.port !== String(port)) || (host !== undefined && !isAt(url, host));
  if (isOther)
    note(
      `note: the daemon is already running at ${running.url ?? "its socket only"}; to move it: ao stop, then ao start again`,
    );
  return running;
}

function isAt(url: URL | null, host: string): boolean {
  return url?.hostname === host || (url?.hostname === "localhost" && host === "127.0.0.1");
}

function readPort(written: string | undefined): number | null {
  if (written === undefined) return null;
  const port = Number(written);
  if (!/^\d+$/.test(written) || port > 65_535) throw misuse(`--port is not a port: ${written}`, "0 to 65535");
  return port;
}

function existing(path: string): string {
  if (existsSync(path)) return path;
  throw new AoError({
    code: "not-a-repository",
    message: `there is no folder ${resolve(path)}`,
    hint: "Check the path.",
  });
}

/** The repository or configured folder around the working directory, if any. */
function foldersHere(config: string | undefined): readonly string[] {
  if (config !== undefined || (process.env["AO_CONFIG"] ?? "") !== "") return ["."];
  const isAbout = (folder: string): boolean =>
    existsSync(join(folder, ".git")) || existsSync(join(folder, "agent-orchestrator.yaml"));
  return foldersAbove(resolve("."), process.env).some(isAbout) ? ["."] : [];
}

async function stayAttached(client: Client): Promise<void> {
  const signal = untilInterrupted();
  note("Press Ctrl+C to detach; agents keep running\n");
  await watchSessions(client, {}, signal);
  note("\nThe daemon and its agents keep running; `ao stop` ends the daemon, `ao list` shows the sessions.");
}
