import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Capabilities, Driver, DriverSetup } from "../../driver.ts";
import { openHistory } from "../../kit/history.ts";
import { openVendorUi, type VendorUi } from "../../kit/vendor-ui.ts";
import { type Api, createApi } from "./api.ts";
import { createApprovals } from "./approvals.ts";
import { type Conversation, createConversation } from "./conversation.ts";
import { composeEnvironment } from "./environment.ts";
import { findModel, openSession, readRules } from "./handshake.ts";
import { openPast, type Past } from "./past.ts";
import { describeEnd, type Server, startServer, waitForServer } from "./server.ts";
import { parseSettings } from "./settings.ts";
import { followEvents, type Stream } from "./stream.ts";
import { createMeter } from "./usage.ts";

const CAPABILITIES: Capabilities = {
  midTurn: false,
  resume: true,
  continues: false,
  permissions: true,
  usage: true,
  brief: true,
  reasons: true,
};
const GRACE_MS = 5000;
const SERVE = ["serve", "--hostname", "127.0.0.1", "--port", "0"];

/** OpenCode by its own server, in one process for all turns; its own interface can be attached to the same server. */
export function createOpencodeDriver(setup: DriverSetup): Driver {
  const { report, cwd } = setup;
  const settings = parseSettings(setup.settings);
  const [program = "", ...leading] = settings.command;
  const password = randomBytes(32).toString("hex");
  const env = composeEnvironment(settings, setup.env, password);
  const history = openHistory(join(setup.folder, "prompts.jsonl"));
  let server: Server | null = null;
  let stream: Stream | null = null;
  let conversation: Conversation | null = null;
  let past: Past | null = null;
  /** The program's own interface, where there is a terminal for it. */
  let shown: VendorUi | null = null;
  let isOver = false;

  const leave = (reason: string): void => {
    if (isOver) return;
    isOver = true;
    if (conversation !== null) report.gone(reason);
  };
  const lose = (): void => leave(`OpenCode (${program}) does not answer any more.`);

  const begin = async (api: Api, known: string | null): Promise<string> => {
    const own = await readRules(api);
    const model = settings.model === undefined ? null : await findModel(api, settings.model);
    stream = followEvents({
      api,
      onEvent: (event) => conversation?.onEvent(event),
      onGap: () => conversation?.catchUp(),
      onLost: lose,
    });
    await stream.connected;
    const { sessionId, ...opened } = await openSession(api, known);
    report.conversation(sessionId);
    const meter = createMeter(api, setup.notes, report.usedInAll);
    if (opened.past === "lost") {
      history.lost();
      meter.reset();
      const what = `OpenCode did not find its earlier conversation (${opened.reason})`;
      report.said(`${what}; starting a new one that gets the earlier messages.`);
    }
    // What an earlier process used, and did not live to tell.
    if (opened.past === "loaded") await meter.read(sessionId);
    past = openPast(api, sessionId);
    const approvals = createApprovals({ settings, place: { cwd, home: setup.env["HOME"] ?? "" }, report, api, own });
    conversation = createConversation({
      ...{ api, sessionId, model, report, approvals, meter },
      system: setup.brief?.text ?? null,
      onLost: lose,
    });
    return sessionId;
  };

  // A person uses it beside `ao`, in the same session; it has the password from its environment.
  const show = (url: string, sessionId: string): void => {
    if (setup.screen === null) return;
    const args = [...leading, "attach", url, "--session", sessionId];
    const isBusy = (): boolean => conversation?.isBusy() === true;
    shown = openVendorUi({ screen: setup.screen, title: "OpenCode", program, args, cwd, env, report, isBusy });
  };

  const open = async (known: string | null): Promise<void> => {
    const started = startServer({ program, args: [...leading, ...SERVE], cwd, env });
    server = started;
    const died = started.child.ended.then((end) => {
      leave(describeEnd(program, end));
      throw new Error(describeEnd(program, end));
    });
    died.catch(() => undefined);
    const ready = async (): Promise<void> => {
      const url = await started.url;
      const api = createApi({ url, password });
      await waitForServer(url, api, () => isOver);
      const sessionId = await begin(api, known);
      if (!isOver) show(url, sessionId);
    };
    await within(settings.startLimitMs, Promise.race([ready(), died]), settings.command);
  };

  return {
    capabilities: CAPABILITIES,
    open,
    recall: async (promptId) => past?.recall(promptId) ?? { kind: "unknown" },
    prompt: (next) => {
      const text = history.compose(next);
      history.add(next);
      conversation?.prompt(next.id, text);
    },
    answer: (questionId, choice) => conversation?.answer(questionId, choice),
    interrupt: () => conversation?.interrupt(),
    close: async () => {
      isOver = true;
      stream?.stop();
      await shown?.end(GRACE_MS);
      await server?.child.end(GRACE_MS);
    },
  };
}

async function within<T>(limitMs: number, work: Promise<T>, command: readonly string[]): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const sentence = `OpenCode was not ready within ${Math.ceil(limitMs / 1000)} s.`;
    const doubt = `Is \`${command.join(" ")}\` OpenCode 1.18.33 or newer, and does it start by itself?`;
    timer = setTimeout(() => reject(new Error(`${sentence} ${doubt}`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
