import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionDetailView } from "../../src/protocol/views/session.ts";
import { git } from "../../src/testing/git-repo.ts";
import { judgeDeliveries } from "../support/judge.ts";
import type { LoopFleet } from "../support/loop.ts";
import { until } from "../support/until.ts";
import { ANSWER_MS, fillDisk } from "./hardships.ts";

const FILES = { "README.md": "changed\n", "new/untracked.txt": "untracked\n", "staged.txt": "staged\n" };
const STATUS = " M README.md\nA  staged.txt\n?? new/\n";
/** So long that only a part of it may fit on the disk. */
const LONG = 200_000;

/** A session that is constantly stopped, restored and messaged, and must keep its uncommitted work. */
export interface Keeper {
  /** Stops it, lets the user do something, and restores it. */
  rest(meanwhile: () => Promise<unknown>): Promise<void>;
  /** Sends it a message; a long one while the disk has this many times its size left, if that is given. */
  tell(room?: number): Promise<void>;
  /** What is lost, doubled or damaged, once everything was delivered; then it is gone. */
  judge(): Promise<readonly string[]>;
}

/** Starts such a session. */
export async function beginKeeper(fleet: LoopFleet, limitMs: number): Promise<Keeper> {
  const sent: string[] = [];
  let [asked, rests] = [0, 0];
  const write = async <T>(method: string, path: string, body: unknown, name: string): Promise<T> => {
    const answer = await until(`${method} ${path}`, () => retry<T>(fleet, method, path, body, name), limitMs);
    return answer.body;
  };
  const begin = { title: "Keeper", prompt: "Keep what you have." };
  const { id } = await write<SessionDetailView>("POST", "/api/sessions", begin, "keeper");
  const reach = (what: string, isReached: (session: SessionDetailView) => boolean): Promise<SessionDetailView> =>
    until(
      `the keeper to be ${what}`,
      async () => {
        const session = await fleet.session(id);
        return isReached(session) ? session : false;
      },
      limitMs,
    );
  const alive = await reach("alive", ({ run, workspacePath }) => run.state === "alive" && workspacePath !== null);
  const folder = alive.workspacePath ?? "";
  leaveWork(folder);
  const stop = async (): Promise<void> => {
    await write("DELETE", `/api/sessions/${id}`, undefined, `keeper/stop/${rests}`);
    await reach("stopped", ({ agentStatus }) => agentStatus === "stopped");
  };
  return {
    rest: async (meanwhile) => {
      rests += 1;
      await stop();
      await meanwhile();
      await write("POST", `/api/sessions/${id}/restore`, {}, `keeper/restore/${rests}`);
      await reach("back", ({ run, workspace }) => run.state === "alive" && workspace.state === "ready");
    },
    tell: async (room) => {
      asked += 1;
      const text = `note ${asked}${room === undefined ? "" : "x".repeat(LONG)}`;
      sent.push(text);
      const path = `/api/sessions/${id}/message`;
      const send = (): Promise<unknown> => write("POST", path, { content: text }, `keeper/${asked}`);
      if (room === undefined) return void (await send());
      const sending = fillDisk(fleet, room * LONG, async () => {
        // While the disk is full the answer says so; then it is sent again until it fits.
        await Promise.race([send(), until("the disk to be full", () => false, 1500).catch(() => undefined)]);
        await until("the message to be taken up", () => false, 300).catch(() => undefined);
      });
      await sending;
      await send();
    },
    judge: async () => {
      const faults: string[] = [];
      await reach("told everything", ({ messages }) =>
        messages.every(({ delivery }) => delivery === "delivered"),
      ).catch(async (error: unknown) =>
        faults.push(`${String(error)} ${JSON.stringify((await fleet.session(id)).messages)}`),
      );
      // Its task comes with a brief, which differs from run to run.
      const told = fleet.diary(id).filter(({ event }) => event !== "task");
      faults.push(...shorten(judgeDeliveries(sent, told, fleet.receipts(id))), ...judgeWork(folder));
      rests += 1;
      await stop().catch((error: unknown) => faults.push(String(error)));
      faults.push(...dropBranch(fleet.repo));
      return faults.map((fault) => `keeper: ${fault}`);
    },
  };
}

async function retry<T>(
  fleet: LoopFleet,
  method: string,
  path: string,
  body: unknown,
  key: string,
): Promise<{ readonly body: T } | false> {
  const since = Date.now();
  const answer = await fleet.api<T>(method, path, body, { "idempotency-key": key });
  if (answer.status < 300) return answer;
  // A full disk is reported quickly.
  if (answer.status === 507 && Date.now() - since < ANSWER_MS) return false;
  throw new Error(`${answer.status} ${JSON.stringify(answer.body)} after ${Date.now() - since} ms`);
}

function leaveWork(folder: string): void {
  mkdirSync(join(folder, "new"));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  git(folder, "add", "staged.txt");
}

function judgeWork(folder: string): readonly string[] {
  try {
    const status = git(folder, "status", "--porcelain");
    const damaged = Object.entries(FILES).filter(([name, text]) => readFileSync(join(folder, name), "utf8") !== text);
    return [
      ...(status === STATUS ? [] : [`its uncommitted work is now ${JSON.stringify(status)}`]),
      ...damaged.map(([name]) => `${name} is not what it was`),
    ];
  } catch (error) {
    return [`its uncommitted work is gone: ${String(error)}`];
  }
}

function dropBranch(repo: string): readonly string[] {
  try {
    git(repo, "branch", "-D", "agent/keeper");
    return [];
  } catch (error) {
    return [`its branch could not be deleted: ${String(error)}`];
  }
}

function shorten(faults: readonly string[]): readonly string[] {
  return faults.map((fault) => fault.replaceAll(/x{20,}/g, "xxx..."));
}
