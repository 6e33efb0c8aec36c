import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";
import { until } from "../support/until.ts";
import { REAL_AGENTS } from "./support/acp-programs.ts";
import { isWhole } from "./support/programs.ts";
import { LIMIT } from "./support/session.ts";
import { MAIN_AGENTS, SESSION_AGENTS, type SessionAgent, TERMINAL_AGENTS } from "./support/session-agents.ts";
import { type Actor, type Terminal, tellOfStates } from "./support/state-story.ts";

const KNOWN: Readonly<Record<string, Pick<Actor, "errors" | "retries" | "forgets">>> = {
  "claude-code": { errors: [401, 500, 429] },
  codex: { errors: [401, 500, 429] },
  opencode: { errors: [401, 500, 429], retries: [500, 429] },
  ...Object.fromEntries(
    REAL_AGENTS.map(({ plugin, contract: { errors, forgets = false } }) => [plugin, { errors, forgets }]),
  ),
  // It sends a prompt that failed again, together with the next one.
  kimicode: { errors: [] },
};

/** Types a command once the program is ready, so that it is not lost. */
async function quitBy(terminal: Terminal, command: string, shown: string): Promise<void> {
  terminal.type(command);
  await until("the command", () => terminal.screen().includes(shown), LIMIT);
  terminal.press("Enter");
}

const KEYS: Readonly<Record<string, NonNullable<Actor["keys"]>>> = {
  "claude-code": {
    dialog: /Do you want to proceed\?/,
    yes: "1",
    stop: "Escape",
    quit: (terminal) => quitBy(terminal, "/exit", "❯ /exit"),
  },
  codex: {
    dialog: /1\. Yes, proceed/,
    yes: "y",
    stop: "Escape",
    quit: (terminal) => quitBy(terminal, "/quit", "/quit"),
  },
  opencode: {
    dialog: /Permission required/,
    yes: "Enter",
    quit: async ({ press }) => press("C-c"),
  },
};

const program = fileURLToPath(new URL("../fixtures/agents/acp-agent.mjs", import.meta.url));

const madeForTests: Actor = {
  name: "acp",
  agent: {
    plugin: "acp",
    title: "an agent of the protocol",
    command: [process.execPath, program],
    process: program,
    free: {},
    config: { usage: "process" },
    environment: (_, model) => ({ MODEL_URL: model.url }),
    usage: "turns",
  },
  errors: [401, 500, 429],
};

function toActor(agent: SessionAgent): Actor {
  const isMain = MAIN_AGENTS.includes(agent);
  return { name: agent.plugin, agent, errors: [], ...KNOWN[agent.plugin], isShort: !isMain };
}

function toTerminalActor(agent: SessionAgent): Actor {
  const keys = KEYS[agent.plugin];
  const name = `${agent.plugin}-terminal`;
  return { ...toActor(agent), name, ...(keys && { keys }), isShort: !isWhole };
}

/** `npm test` has the one that starts quickly; states-recorded.test.ts has the recordings of all. */
const QUICK = ["acp"];
const ALL = [madeForTests, ...SESSION_AGENTS.map(toActor), ...TERMINAL_AGENTS.map(toTerminalActor)];

for (const actor of ALL.filter(({ name }) => isWhole || QUICK.includes(name))) {
  const { agent } = actor;
  describe.skipIf(agent.command === null)(`the state of ${agent.title}`, () => {
    it("is right at every moment, and so is its evidence", () => tellOfStates(actor));
  });
}
