import { PassThrough } from "node:stream";
import { median } from "../statistics.mjs";

const SESSIONS = 500;
const ROUNDS = 100;
const WARM_UP = 20;
const AIM_MS = 20;
const SIZE = { columns: 200, rows: 60 };
const COST = {
  inputTokens: 8100,
  cachedTokens: 0,
  outputTokens: 900,
  costUsd: 1.42,
  estimatedUsd: 0,
  unpricedTokens: 0,
};
const FLEET = { paused: false, pausedProjects: [], costToday: COST, position: 0 };

/** What the board computes for one frame: after a key, and after a new list from the daemon. Without a daemon or a terminal. */
export async function measureBoard({ pick }) {
  const board = { ...(await loadBoard()), rounds: pick(ROUNDS, 3) };
  const takeList = createLists(board);
  const key = measureFrames(board, takeList, (n) => ({
    type: "key",
    key: { name: n % 40 < 20 ? "j" : "k", text: null },
  }));
  const list = measureFrames(board, takeList, takeList);
  const line = (name, value) => ({
    name: `board, ${SESSIONS} sessions: CPU of a frame after ${name}`,
    unit: "ms",
    value,
    floor: null,
    floorName: null,
    aim: { on: "value", atMost: AIM_MS },
  });
  return [line("a key", key), line("a new list", list)];
}

/** The parts of the built program; loaded only once the build is known to exist. */
async function loadBoard() {
  const files = ["board/render", "board/screen", "board/state", "board/update", "views/style"].map(
    (name) => `cli/${name}`,
  );
  const modules = [...files, "protocol/fleet-order"].map((name) => import(`../../dist/${name}.js`));
  return Object.assign({}, ...(await Promise.all(modules)));
}

function measureFrames({ createScreen, initialBoard, renderBoard, rounds, style, updateBoard }, takeList, eventOf) {
  const output = Object.assign(new PassThrough(), SIZE);
  output.resume();
  const input = Object.assign(new PassThrough(), { setRawMode: () => undefined });
  const screen = createScreen(input, output, { key: () => undefined, resize: () => undefined });
  const paint = style({ isTTY: true });
  let state = updateBoard(initialBoard(SIZE, "/"), takeList(0)).state;
  screen.enter();
  const samples = [];
  for (let n = 0; n < WARM_UP + rounds; n += 1) {
    const before = process.cpuUsage();
    state = updateBoard(state, eventOf(n)).state;
    screen.draw(renderBoard(state, { now: n * 1000, style: paint }));
    const { user, system } = process.cpuUsage(before);
    if (n >= WARM_UP) samples.push((user + system) / 1000);
  }
  screen.leave();
  return median(samples);
}

function createLists({ sortSessions }) {
  const answer = JSON.stringify(Array.from({ length: SESSIONS }, (_, n) => toSession(n)));
  return (n) => {
    const sessions = JSON.parse(answer).map((one, index) => ({ ...one, activity: `Bash: npm test, ${n + index} s` }));
    return { type: "listed", sessions: sortSessions(sessions), fleet: { ...FLEET, position: n } };
  };
}

function toSession(n) {
  const at = new Date(n * 60_000).toISOString();
  const checks = ["unit", "lint"].map((name) => ({ name, state: n % 5 === 0 ? "failed" : "passed" }));
  const pull = {
    number: n,
    phase: "open",
    base: "main",
    head: "abc",
    status: "review-pending",
    evidence: "",
    checks,
    blockers: [],
  };
  const id = `shop-retry-failed-uploads-${n}`;
  const review = { action: "review", sessionId: id, pullRequest: `shop/${n}`, check: null };
  const need = { kind: "review", text: "needs 1 approval of 9ad04be", actions: [review], rank: 4, at, since: at };
  return {
    id,
    projectId: "shop",
    title: n % 7 === 0 ? `日本語の請求書に対応する ${n}` : `Retry failed uploads with backoff, part ${n} of many`,
    issue: null,
    status: n % 4 === 0 ? "review-pending" : "working",
    state: "working",
    evidence: "the agent works",
    activity: null,
    attention: n % 4 === 0 ? need : null,
    uncommitted: 0,
    question: null,
    lines: null,
    agent: "claude-code",
    runtime: "process",
    branch: `agent/part-${n}`,
    workspacePath: `/work/shop/.worktrees/part-${n}`,
    pullRequests: n % 2 === 0 ? [pull] : [],
    cost: COST,
    createdAt: at,
    updatedAt: at,
  };
}
