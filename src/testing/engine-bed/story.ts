import type { ChangeState } from "../../core/change/state.ts";
import type { Input } from "../../core/input.ts";
import type { SessionState } from "../../core/session/state.ts";
import { aCreate } from "../builders.ts";
import { aCheckRule, aPolicy, aRule } from "../change-builders.ts";
import { Killed } from "../fakes/mortal.ts";
import { REPO } from "./deps.ts";
import type { EngineBed } from "./engine-bed.ts";

export const SESSION = "demo-1";
export const CHANGE = "demo/1";

/** Seconds on the fake clock after which a story without progress is stuck. */
const PATIENCE = 300;

/** A person who repeats a command with the same key and restarts the daemon whenever it dies. */
export interface Person {
  command(input: Input, key: string): Promise<void>;
  /** Waits on the fake clock; fails if the condition does not come true. */
  until(what: string, isTrue: () => boolean): Promise<void>;
  session(): SessionState | undefined;
  change(): ChangeState | undefined;
}

/** The person in a story. */
export function createPerson(bed: EngineBed): Person {
  const view = (): EngineBed["engine"]["loop"]["world"]["view"] => bed.engine.loop.world.view;
  return {
    session: () => view().session(SESSION),
    change: () => view().change(CHANGE),
    command: async (input, key) => {
      for (;;) {
        try {
          await bed.submit(input, key);
          return;
        } catch (error) {
          if (!(error instanceof Killed)) throw error;
          await bed.restart();
        }
      }
    },
    until: async (what, isTrue) => {
      for (let second = 0; second < PATIENCE; second += 1) {
        await bed.idle();
        if (bed.isDead()) await bed.restart();
        else if (isTrue()) return;
        else await bed.advance(1000);
      }
      throw new Error(`waited for: ${what}`);
    },
  };
}

/** A project whose pull requests need one check and one approval, and are then merged and cleaned up automatically. */
export async function registerProject(person: Person): Promise<void> {
  const project = { id: "demo", name: "Demo", path: REPO, repo: null, defaultBranch: "main", sessionPrefix: "demo" };
  await person.command({ type: "project.register", ...project, configFile: null, limit: null } as Input, "register");
  const policy = aPolicy({
    checks: { unit: aCheckRule({ run: "cat made.txt", setup: "" }) },
    train: { batch: 1 },
    reactions: {
      "approved-and-green": aRule({ action: "merge", retries: 0, strategy: "squash", deleteAfter: true }),
      "agent-needs-input": aRule({ action: "notify", retries: 0, priority: "urgent" }),
      "pr-opened": aRule({ action: "run", retries: 1, run: "echo opened" }),
      uncommitted: aRule({ action: "notify", retries: 0, priority: "info" }),
    },
  });
  await person.command({ type: "project.policy", id: "demo", policy }, "policy");
  const routing = { urgent: ["hook"], action: ["hook"], warning: ["hook"], info: ["hook"] };
  await person.command({ type: "fleet.routing", routing }, "routing");
}

/**
 * The whole life of an issue: a session, a question, a pull request, a check, an approval, a merge on a moved base, and
 * cleanup.
 */
export async function liveOnce(bed: EngineBed): Promise<void> {
  const person = createPerson(bed);
  bed.world.tracker.add({ title: "Fix it", body: "", labels: [], dependsOn: [], state: "open" });
  await registerProject(person);
  const prompt = { inline: "!commit made.txt" };
  await person.command(aCreate({ issue: "1", prompt, messageId: "m-task" }), "create");
  await person.until("the pull request", () => person.change() !== undefined);
  const text = { inline: "!ask" };
  await person.command({ type: "session.send", sessionId: SESSION, messageId: "m-ask", text, bytes: 4 }, "send");
  await person.until("the question", () => person.session()?.question?.answeredBy === null);
  await person.until("the notification", () => bed.world.notifier.delivered.length > 0);
  await person.command({ type: "session.answer", sessionId: SESSION, choice: "Yes", messageId: "m-answer" }, "answer");
  await person.until("the answer", () => person.session()?.activity.state === "idle");
  await person.until("the check", () => person.change()?.checks["unit"]?.state === "passed");
  const head = bed.world.repository.commitTo("main", { "other.txt": "by somebody else\n" });
  await person.command({ type: "base.moved", projectId: "demo", head }, "base");
  await person.command(approval(), "approve");
  await person.until("the merge", () => person.change()?.phase === "merged");
  await person.until("the end of the session", () => person.session()?.phase === "stopped");
  await person.until("the end of its branch", () => person.change()?.branchFate != null);
  await person.until("no intent to be open", () => bed.engine.loop.openIntents.size === 0);
}

function approval(): Input {
  const review = { reviewId: "rv-1", author: "ann", verdict: "approve", body: null, comments: [], head: null } as const;
  return { type: "change.review", key: CHANGE, ...review };
}
