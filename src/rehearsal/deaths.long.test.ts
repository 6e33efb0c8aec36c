import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { copyPlace, faultyRehearsal, makePlace, type Place, startRehearsal } from "../../test/support/rehearsal.ts";
import type { LinesMessage } from "../core/lines-protocol.ts";
import { isFull } from "../testing/full.ts";
import { git } from "../testing/git-repo.ts";

const SCRIPT = {
  seed: 3,
  pace: 0,
  scenes: [
    {
      when: { kind: "task" },
      do: [
        { write: { path: "a.txt", text: "one\n" } },
        { append: { path: "a.txt", text: "two\n" } },
        { commit: "Add a" },
        { replace: { path: "a.txt", find: "one", with: "one and one" } },
        {
          maybe: { chance: 0.5, do: [{ append: { path: "b.txt", text: "luck\n" } }], else: [{ delete: "README.md" }] },
        },
        {
          ask: {
            question: "Go on?",
            choices: ["yes", "no"],
            // biome-ignore lint/suspicious/noThenProperty: a word of the script
            then: { yes: [{ append: { path: "a.txt", text: "three\n" } }, { commit: "Go on" }] },
          },
        },
        { done: "all of it" },
      ],
    },
    {
      when: { kind: "message", matches: "failed" },
      do: [{ replace: { path: "a.txt", find: "two", with: "TWO two" } }, { commit: "Fix a" }],
    },
  ],
};

const MESSAGES: readonly LinesMessage[] = [
  { id: "m.1", kind: "task", text: "begin", attempt: 1 },
  { id: "m.2", kind: "message", text: "the check failed", attempt: 1 },
];

interface Ended {
  readonly history: string;
  readonly changes: string;
  readonly files: readonly (string | null)[];
  readonly summaries: readonly string[];
}

/**
 * Sends every message as the daemon does: again with a higher attempt until it is confirmed, then `resume` until it is
 * done.
 */
async function converse(place: Place, faults: Record<string, string>): Promise<Ended & { readonly deaths: number }> {
  let rehearsal = startRehearsal(place, { entry: faultyRehearsal, env: faults });
  let deaths = 0;
  const summaries: string[] = [];
  for (const message of MESSAGES) {
    let next = message;
    for (;;) {
      rehearsal.send(next);
      const isConfirmed = (await rehearsal.hear("received")) !== null;
      const summary = await finish(rehearsal);
      if (summary !== null) {
        summaries.push(summary);
        break;
      }
      deaths += 1;
      await rehearsal.over;
      next =
        isConfirmed || next.kind === "resume" ? { ...message, kind: "resume" } : { ...next, attempt: next.attempt + 1 };
      rehearsal = startRehearsal(place, { entry: faultyRehearsal, env: { AO_RESUME: "1" } });
    }
  }
  const { signal } = await rehearsal.end();
  return { ...inspect(place, summaries), deaths: deaths + (signal === null ? 0 : 1) };
}

async function finish(rehearsal: ReturnType<typeof startRehearsal>): Promise<string | null> {
  void rehearsal.hear("asked").then((question) => {
    if (question !== null) rehearsal.send({ id: question.id, kind: "answer", text: "yes" });
  });
  return (await rehearsal.hear("done"))?.summary ?? null;
}

function inspect(place: Place, summaries: readonly string[]): Ended {
  const read = (name: string): string | null =>
    existsSync(join(place.repo, name)) ? readFileSync(join(place.repo, name), "utf8") : null;
  return {
    history: git(place.repo, "log", "--format=%T %B"),
    changes: git(place.repo, "status", "--porcelain", "--untracked-files=all"),
    files: ["a.txt", "b.txt", "README.md"].map(read),
    summaries,
  };
}

/** Places of one kind differ only in the number of their step. */
function firstOfEachKind(places: readonly string[]): [number, string][] {
  const kinds = new Map<string, [number, string]>();
  for (const [index, place] of places.entries()) {
    const kind = place.replace(/ \d+/, "");
    if (!kinds.has(kind)) kinds.set(kind, [index, place]);
  }
  return [...kinds.values()];
}

describe("a rehearsal that is killed and restarted", () => {
  const where = isFull ? "wherever it was killed" : "killed at each kind of place (test:full: at every place)";

  it(`leaves the same history and files as one that is not killed, ${where}`, async () => {
    const fresh = makePlace(SCRIPT);
    const unharmed = copyPlace(fresh);
    const log = join(dirname(unharmed.script), "places");
    const { deaths, ...wanted } = await converse(unharmed, { AO_FAULT_LOG: log });
    const places = readFileSync(log, "utf8").trimEnd().split("\n");
    expect(deaths).toBe(0);
    expect(wanted.summaries).toEqual(["all of it", ""]);
    expect(wanted.history.match(/Rehearsal-Step/g)).toHaveLength(3);
    expect(wanted.files[0]).toBe("one and one\nTWO two\nthree\n");
    expect(places.length).toBeGreaterThan(30);
    const pending = isFull ? [...places.entries()] : firstOfEachKind(places);
    const count = pending.length;
    const results: [string, Awaited<ReturnType<typeof converse>>][] = [];
    const work = async (): Promise<void> => {
      for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
        const [index, name] = next;
        const killed = await converse(copyPlace(fresh), { AO_FAULT_AT: String(index + 1) });
        results.push([`killed at ${index + 1}: ${name}`, killed]);
      }
    };
    await Promise.all([work(), work(), work()]);
    expect(results).toHaveLength(count);
    for (const [name, killed] of results) expect(killed, name).toEqual({ ...wanted, deaths: 1 });
  });
});
