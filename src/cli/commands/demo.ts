import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { AoError } from "../../core/errors.ts";
import type { DemoDaemon } from "../../demo/demo-view.ts";
import { addWebhook, type DemoForge, findForge, forgeEnvironment } from "../../demo/forge.ts";
import { lookAtSample } from "../../demo/look-at-sample.ts";
import { makeSample, PLAIN_GIT, pullSample, requireEmpty, type Sample, tidySample } from "../../demo/make-sample.ts";
import { type DemoEnd, runDemo } from "../../demo/run-demo.ts";
import { PROJECT } from "../../demo/story.ts";
import type { Call } from "../../protocol/api.ts";
import { misuse } from "../args/usage-error.ts";
import { openInBrowser, opensByItself } from "../client/browser.ts";
import { type Client, connect } from "../client/client.ts";
import { readEvents } from "../client/event-stream.ts";
import { fetchHealth } from "../client/fetch-health.ts";
import { startDaemon } from "../client/launch-daemon.ts";
import { registerProject } from "../client/register-project.ts";
import { stopDaemon } from "../client/stop-daemon.ts";
import { defineCommand } from "../command.ts";
import { note, print, printPicture, withProgress } from "../views/print.ts";
import { style } from "../views/style.ts";
import { INTERRUPTED, untilInterrupted } from "../views/watch.ts";
import { acceptHeld } from "./config/accept.ts";
import { calledAs } from "./demo/called-as.ts";
import { createDemoScreen } from "./demo/demo-screen.ts";
import { conclude, describeForgeEnd, describeLink, introduce, showSample, whatNext } from "./demo/demo-texts.ts";

/** The factor for the agents' waits, and how long the demo's people think. */
const SPEEDS = { normal: { pace: 1, thinkMs: 1200 }, fast: { pace: 0.1, thinkMs: 50 } } as const;
type Speed = (typeof SPEEDS)[keyof typeof SPEEDS];

/** A restarting daemon is back within this time. */
const RETURN_LIMIT_MS = 15_000;
const RETRY_MS = 200;

export const command = defineCommand({
  name: "demo",
  summary: "watch the whole loop on a sample repository; needs no agent and no account",
  usage: ["[--exit] [--dir FOLDER] [--rm] [--speed normal|fast] [--port N]"],
  arguments: [],
  options: {
    exit: { type: "boolean", summary: "quit when everything is merged instead of keeping the dashboard" },
    dir: { type: "string", value: "FOLDER", summary: "an empty folder for everything; default: a new temporary one" },
    rm: { type: "boolean", summary: "remove the folder at the end if everything is merged" },
    speed: { type: "string", value: "SPEED", summary: "normal, or fast: agents barely pause" },
    port: { type: "string", value: "N", summary: "the port of the dashboard (0: any free one)" },
  },
  examples: ["ao demo", "ao demo --exit --speed fast"],
  details:
    "Scripted agents work on a small garden at the same time: worktrees, commits, pull requests, checks, reviews, merges.\n" +
    "The demo plays the reviewer and the person who answers. Your own repositories and your AO_HOME are not touched.",
  async run({ options }) {
    const speed = readSpeed(options.speed);
    const port = readPort(options.port);
    const signal = untilInterrupted();
    const dir = chooseFolder(options.dir);
    const forge = findForge(process.env);
    const sample = await makeSample(dir, { pace: speed.pace, now: Date.now(), forge });
    enter(sample, { port, forge });
    const end = await perform(sample, { speed, forge, signal, exit: options.exit === true }).catch((error: unknown) => {
      note(`The demo's files are in ${dir}`);
      throw error;
    });
    if (options.rm === true && end.how === "merged") {
      rmSync(dir, { recursive: true, force: true });
      print(`removed ${dir}`);
    } else print(`Everything is stopped; the files are in ${dir}\nRemove them with: rm -rf ${dir}`);
    if (end.how === "interrupted") process.exitCode = INTERRUPTED;
    if (end.how === "stuck") throw unfinished(end);
  },
});

interface Play {
  readonly speed: Speed;
  readonly forge: DemoForge | null;
  readonly signal: AbortSignal;
  readonly exit: boolean;
}

/** The whole demo, from the daemon's start to its end; afterwards nothing is left running. */
async function perform(sample: Sample, play: Play): Promise<DemoEnd> {
  const { forge, signal, exit } = play;
  const client = connect();
  try {
    await withProgress("starting the daemon", startDaemon(client.paths));
    await registerProject(client, { path: sample.repo, config: join(sample.repo, "agent-orchestrator.yaml") });
    // The sample's own file is committed, as in a repository that a team shares.
    await acceptHeld(client, PROJECT);
    const link = await makeLink(client);
    if (forge !== null && link !== null) await addWebhook(forge, link);
    print(introduce(sample, { link, forge }).join("\n"));
    if (!exit) await showDashboard(client);
    const end = await watch(client, play);
    const isWhole = await report(end, sample, play);
    if (!exit && end.how !== "interrupted") await keepDashboard(client, signal);
    return end.how === "merged" && !isWhole ? { ...end, how: "stuck" } : end;
  } finally {
    await leave(client);
  }
}

/** Ends the agents and the daemon. Agents outlive a daemon that died, so it is restarted to end them. */
async function leave(client: Client): Promise<void> {
  if (!existsSync(client.paths.database)) return;
  await fetchHealth(client);
  await stopDaemon({ sessions: true, json: false });
}

async function watch(client: Client, { speed, forge, signal }: Play): Promise<DemoEnd> {
  const screen = createDemoScreen(process.stdout);
  const daemon: DemoDaemon = {
    call: (call, options) => patiently(call, () => client.call(call, options)),
    events: (until: AbortSignal) => readEvents(client, { since: 0, follow: true, signal: until }),
  };
  const over = new AbortController();
  try {
    const { thinkMs } = speed;
    return await runDemo({ daemon, forge, screen, thinkMs, signal: AbortSignal.any([signal, over.signal]) });
  } finally {
    screen.close();
    over.abort();
  }
}

/** Retries while a daemon that died comes back; writes are not repeated here, the caller checks first. */
async function patiently<T>(call: Call, ask: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + RETURN_LIMIT_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isLost = error instanceof AoError && error.code === "daemon-unreachable";
      if (!isLost || !call.startsWith("GET ") || performance.now() > deadline) throw error;
      await delay(RETRY_MS);
    }
  }
}

/** Reports what happened; false: the sample is not as it should be. */
async function report(end: DemoEnd, sample: Sample, { forge, exit }: Play): Promise<boolean> {
  if (end.how === "interrupted") {
    print(`\ninterrupted; ${end.summary.merged} merged so far`);
    return false;
  }
  const paint = style(process.stdout);
  const columns = process.stdout.isTTY ? process.stdout.columns || 80 : undefined;
  print(conclude(end.summary, { columns, paint }).join("\n"));
  if (end.how !== "merged") return false;
  if (forge !== null) {
    await pullSample(sample.repo, forge);
    print(describeForgeEnd(forge, end.summary.merged).join("\n"));
  }
  await tidySample(sample.repo);
  const look = await lookAtSample(sample.repo, { color: paint.bold("") !== "" });
  const ao = calledAs(process.env, process.argv[1] ?? "ao");
  printPicture(`\n${look.picture}`);
  // A command for the demo's daemon would restart it once it is stopped.
  print(showSample(sample, look, exit ? null : ao).join("\n"));
  print(whatNext({ isInstalled: ao === "ao" }).join("\n"));
  return look.tests !== null;
}

/** Keeps the dashboard open until Ctrl+C; a link is valid for one browser and 5 minutes, so Enter prints another. */
async function keepDashboard(client: Client, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const showLink = async (): Promise<void> => {
    const link = await makeLink(client);
    const next = process.stdin.isTTY ? "Enter prints a new link, Ctrl+C quits." : "Ctrl+C quits.";
    print(["", ...(link === null ? [] : describeLink(link)), next].join("\n"));
  };
  await showLink();
  const onEnter = (): void => void showLink();
  if (process.stdin.isTTY) process.stdin.on("data", onEnter);
  // A listener alone does not keep the process alive.
  const timer = setInterval(() => undefined, 60_000);
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  clearInterval(timer);
  process.stdin.off("data", onEnter).pause();
  print("");
}

/** Opens the dashboard if someone can watch; the printed link stays unused, for another browser. */
async function showDashboard(client: Client): Promise<void> {
  if (!opensByItself(process.env, process.platform, process.stdout.isTTY)) return;
  const link = await makeLink(client);
  if (link !== null) await openInBrowser(link);
}

async function makeLink(client: Client): Promise<string | null> {
  try {
    return (await client.call("POST /api/link", { input: { lasting: true } })).url;
  } catch (error) {
    if (!(error instanceof AoError)) throw error;
    note(`note: no dashboard: ${error.message}`);
    return null;
  }
}

/**
 * From here on everything that this process starts belongs to the demo: its own AO_HOME, without the user's settings.
 */
function enter(
  sample: Sample,
  { port, forge }: { readonly port: string | null; readonly forge: DemoForge | null },
): void {
  const changed = { ...PLAIN_GIT, AO_HOME: sample.home, ...(forge === null ? {} : forgeEnvironment(forge)) };
  for (const [name, value] of Object.entries({
    ...changed,
    AO_CONFIG: undefined,
    ...(port === null ? {} : { AO_PORT: port }),
  })) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

function chooseFolder(asked: string | undefined): string {
  if (asked === undefined) return realpathSync(mkdtempSync(join(tmpdir(), "ao-demo-")));
  requireEmpty(resolve(asked));
  return realpathSync(asked);
}

function unfinished(end: DemoEnd): AoError {
  const all = end.summary.rows.length - 1;
  const what =
    end.summary.merged < all
      ? `${end.summary.merged} of ${all} tasks were merged`
      : "main is not in the expected state";
  return new AoError({ code: "session-state", message: `the demo did not finish: ${what}` });
}

function readSpeed(written = "normal"): Speed {
  const speed = Object.entries(SPEEDS).find(([name]) => name === written)?.[1];
  if (speed === undefined) throw misuse(`unknown speed "${written}"`, "--speed normal or --speed fast");
  return speed;
}

function readPort(written: string | undefined): string | null {
  if (written === undefined) return null;
  if (!/^\d+$/.test(written) || Number(written) > 65_535) {
    throw misuse(`--port is not a port: ${written}`, "0 to 65535");
  }
  return written;
}
