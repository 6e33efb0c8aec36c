import { keyOf, type Telling } from "./session-story.ts";

/** The course of a story, in minutes after its start, up to now. */
export type Story = (telling: Telling, minutes: number) => void;

/** As in the sample files. */
const SMALL = { added: 40, removed: 6, files: 3 };
const LARGE = { added: 68, removed: 10, files: 7 };

/** Reports every few minutes until a given minute. */
function workUntil(telling: Telling, from: number, to: number): void {
  for (let minute = from; minute < to; minute += 7) telling.work(minute);
}

/** A turn that ends with a commit, whose checks end four minutes later. */
function commitAndCheck(
  telling: Telling,
  minute: number,
  { lines = SMALL, failing = [] }: { readonly lines?: typeof SMALL; readonly failing?: readonly string[] } = {},
): void {
  telling.finishTurn(minute, lines);
  telling.checksEnd(minute + 4, failing);
}

const working: Story = (telling, minutes) => {
  workUntil(telling, 1, minutes);
  telling.work(minutes - 0.2);
};

/** By name: every state that a session can be in. */
export const STORIES = {
  working,
  question: (telling, minutes) => {
    workUntil(telling, 1, minutes - 41);
    telling.signal(minutes - 41, {
      kind: "asked",
      id: "q-1",
      about: "question",
      question: "For old invoices, keep rounding half up, or round half to even as the new table does?",
      choices: [
        "Half up",
        "Half even",
        "Half even from the next year on, and half up for all invoices written before it",
      ],
      freeText: true,
    });
  },
  permission: (telling, minutes) => {
    const { sessionId } = telling;
    workUntil(telling, 1, 20);
    commitAndCheck(telling, 20, { lines: SMALL, failing: ["unit"] });
    workUntil(telling, 26, minutes - 4);
    telling.signal(minutes - 4, {
      kind: "asked",
      id: "q-1",
      about: "permission",
      question: "Claude Code wants to run",
      detail: { format: "command", text: { inline: "npm install --save-dev msw" } },
      choices: ["Allow once", "Always", "Deny"],
      descriptions: { Always: "every npm install in this project" },
      freeText: true,
    });
    telling.at(minutes - 2, async (fleet) => {
      const text = { inline: "Use the clock from test/clock.ts, no real timers" };
      await fleet.submit({ type: "session.send", sessionId, messageId: `m-${sessionId}-2`, text, bytes: 48 });
    });
  },
  escalated: (telling, minutes) => {
    workUntil(telling, 1, 30);
    commitAndCheck(telling, 30, { lines: LARGE, failing: ["unit"] });
    workUntil(telling, 36, 60);
    commitAndCheck(telling, 60, { lines: LARGE, failing: ["unit"] });
    workUntil(telling, 66, minutes - 24);
    commitAndCheck(telling, minutes - 22, { lines: LARGE, failing: ["unit"] });
  },
  "no-signal": (telling, minutes) => workUntil(telling, 1, minutes - 13),
  mergeable: (telling, minutes) => {
    workUntil(telling, 1, 25);
    commitAndCheck(telling, 25, { lines: LARGE, failing: ["unit"] });
    workUntil(telling, 31, 55);
    commitAndCheck(telling, 55, { lines: LARGE });
    telling.review(minutes - 9, "approve", "mara");
  },
  review: (telling, minutes) => {
    workUntil(telling, 1, minutes - 40);
    commitAndCheck(telling, minutes - 40, { lines: LARGE });
  },
  "review-again": (telling, minutes) => {
    workUntil(telling, 1, 30);
    commitAndCheck(telling, 30, { lines: LARGE });
    telling.review(45, "request-changes", "jonas");
    workUntil(telling, 46, minutes - 18);
    commitAndCheck(telling, minutes - 18, { lines: LARGE });
  },
  "checks-running": (telling, minutes) => {
    workUntil(telling, 1, minutes - 2);
    telling.finishTurn(minutes - 1.5, SMALL);
  },
  fixing: (telling, minutes) => {
    workUntil(telling, 1, minutes - 20);
    commitAndCheck(telling, minutes - 20, { lines: SMALL, failing: ["unit"] });
    workUntil(telling, minutes - 15, minutes);
    telling.work(minutes - 0.1);
  },
  "addressing-review": (telling, minutes) => {
    workUntil(telling, 1, 40);
    commitAndCheck(telling, 40, { lines: SMALL });
    telling.review(minutes - 14, "request-changes", "jonas");
    workUntil(telling, minutes - 13, minutes);
    telling.work(minutes - 0.3);
  },
  conflict: (telling, minutes) => {
    workUntil(telling, 1, minutes - 12);
    telling.change(minutes - 12, (around) => {
      around.conflicts = ["src/manifest/write.go", "src/manifest/parts.go"];
    });
    commitAndCheck(telling, minutes - 11, { lines: SMALL });
    telling.work(minutes - 2);
  },
  "rate-limited": (telling, minutes) => {
    workUntil(telling, 1, minutes - 19);
    telling.at(minutes - 19, async (fleet) => {
      const until = Date.now() + 34 * 60_000;
      await fleet.say(telling.sessionId, { kind: "limited", until, reason: "429 from the vendor" });
    });
  },
  uncommitted: (telling, minutes) => {
    workUntil(telling, 1, minutes - 30);
    telling.at(minutes - 30, async (fleet) => {
      const around = fleet.surroundingsOf(telling.sessionId);
      const uncommitted = { count: 3, names: ["a.ts", "b.ts", "c.ts"], tree: "t1" };
      around.branch = { ...around.branch, uncommitted };
      await fleet.say(telling.sessionId, { kind: "done", summary: "Translated the form." });
      await fleet.settle();
    });
  },
  exited: (telling, minutes) => {
    workUntil(telling, 1, minutes - 6);
    telling.at(minutes - 6, async (fleet) => {
      const { sessionId } = telling;
      await fleet.say(sessionId, { kind: "errored", reason: "401: the agent is not signed in" });
    });
  },
  merged: (telling, minutes) => {
    workUntil(telling, 1, 20);
    commitAndCheck(telling, 20, { lines: SMALL });
    telling.review(30, "approve", "mara");
    telling.at(Math.min(minutes - 1, 34), async (fleet) => {
      const key = keyOf(fleet, telling.sessionId);
      if (key === null) return;
      await fleet.submit({ type: "change.merge", key, strategy: null, by: "mara" });
      await fleet.settle();
    });
  },
  stopped: (telling, minutes) => {
    workUntil(telling, 1, minutes / 2);
    telling.at(minutes / 2, async (fleet) => {
      await fleet.submit({ type: "session.stop", sessionId: telling.sessionId, reason: "not needed any more" });
      await fleet.settle();
    });
  },
} as const satisfies Readonly<Record<string, Story>>;

export type StoryName = keyof typeof STORIES;
