import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { AoError } from "../../core/errors.ts";
import type { HealthView } from "../../protocol/view.ts";
import { hasDisplay, openInBrowser, tunnelHint } from "../browser.ts";
import { type Client, connect } from "../client.ts";
import { cloneHere, isRepositoryUrl } from "../clone.ts";
import { defineCommand } from "../command.ts";
import { note, print, printJson, withProgress } from "../print.ts";
import { registerProject, reportRegistered } from "../register-project.ts";
import { watchSessions } from "../show-sessions.ts";
import { readHealth, startDaemon } from "../start-daemon.ts";
import { misuse } from "../usage.ts";
import { untilInterrupted } from "../watch.ts";

export const command = defineCommand({
  name: "start",
  summary: "start or join the daemon and register projects",
  usage: ["[PATH | URL ...] [--detach] [--port N] [--host ADDRESS] [--no-open] [--json]"],
  arguments: [
    { name: "PATH | URL", summary: "repositories; a URL is cloned to ./NAME first", optional: true, many: true },
  ],
  options: {
    detach: { type: "boolean", short: "d", summary: "return at once instead of showing the sessions" },
    port: { type: "string", value: "N", summary: "the port of the API (0: any free one)" },
    host: { type: "string", value: "ADDRESS", summary: "the address to listen on" },
    "no-open": { type: "boolean", summary: "open no browser" },
    config: { type: "string", value: "FILE", summary: "the projects' agent-orchestrator.yaml, when it lies elsewhere" },
    json: { type: "boolean", summary: "print {url, pid, socket} and return" },
  },
  examples: ["ao start", "ao start ~/code/my-app https://github.com/your-org/your-repo", "ao start --detach --port 0"],
  details: "Without a path it is the repository you are in, if any. Ctrl+C leaves the daemon and its agents running.",
  async run({ args, options }) {
    const client = connect();
    const health = await ensureDaemon(client, readPort(options.port), options.host);
    const json = options.json === true;
    const paths = args.length > 0 ? args : repositoryHere();
    for (const written of paths) {
      const path = isRepositoryUrl(written) ? cloneHere(written) : existing(written);
      const registered = await withProgress(`registering ${path}`, registerProject(client, path, options.config));
      if (!json) reportRegistered(registered);
      else for (const text of registered.notes) note(`note: ${text}`);
    }
    if (json) return printJson({ url: health.url, pid: health.pid, socket: health.socket });
    print(`ao is running${health.url === null ? "" : ` at ${health.url}`} (pid ${health.pid})`);
    if (health.url !== null) await offerPage(client, options["no-open"] === true);
    if (options.detach !== true && process.stdout.isTTY) await stayAttached(client);
  },
});

/** Opens the page where somebody can see it; prints the link that lets a browser in. */
async function offerPage(client: Client, isRefused: boolean): Promise<void> {
  const link = async (): Promise<string> => (await client.call("POST /api/link", { input: {} })).url;
  const canShow = hasDisplay(process.env, process.platform);
  const isWanted = !isRefused && process.stdout.isTTY && (process.env["CI"] ?? "") === "";
  if (isWanted && canShow) await openInBrowser(await link());
  const url = await link();
  print(`page: ${url} (works once, for 5 minutes; ao open gives a new one)`);
  if (!canShow) note(tunnelHint(url));
}

async function ensureDaemon(client: Client, port: number | null, host: string | undefined): Promise<HealthView> {
  const running = await readHealth(client.paths);
  if (running === null) {
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
    note(`note: the daemon already runs at ${running.url ?? "its socket alone"}; ao stop, then start it there`);
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

/** The repository or configured folder around the working directory, if there is one. */
function repositoryHere(): readonly string[] {
  for (let folder = resolve("."); ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git")) || existsSync(join(folder, "agent-orchestrator.yaml"))) return [folder];
    if (folder === dirname(folder)) return [];
  }
}

async function stayAttached(client: Client): Promise<void> {
  const signal = untilInterrupted();
  note("Ctrl+C leaves; the daemon and its agents keep running\n");
  await watchSessions(client, {}, signal);
  note("\nthe daemon and its agents keep running; ao stop ends the daemon, ao list shows the sessions");
}
