import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { makePlace, type Place, startRehearsal } from "../../test/support/rehearsal.ts";
import { git, writeFiles } from "../testing/git-repo.ts";

const say = (summary: string): { do: { done: string }[] } => ({ do: [{ done: summary }] });

/** Sends messages one after another and returns the summaries of their turns. */
async function converse(
  place: Place,
  messages: readonly (readonly ["task" | "message" | "resume", string])[],
  env: Record<string, string> = {},
): Promise<readonly string[]> {
  const rehearsal = startRehearsal(place, { env });
  const summaries: string[] = [];
  for (const [index, [kind, text]] of messages.entries()) {
    rehearsal.send({ id: `m${index}`, kind, text });
    summaries.push((await rehearsal.hear("done"))?.summary ?? "died");
  }
  await rehearsal.end();
  return summaries;
}

describe("a scene", () => {
  it("is the first one that matches kind, text and issue", async () => {
    const place = makePlace({
      scenes: [
        { when: { kind: "task", issue: "7" }, ...say("issue 7") },
        { when: { kind: "task" }, ...say("task") },
        { when: { kind: "message", matches: "^fix (it|that)$" }, ...say("fixed") },
        { when: { kind: "resume" }, ...say("resumed") },
      ],
    });
    expect(
      await converse(place, [
        ["task", "x"],
        ["message", "FIX it"],
        ["message", "fix them"],
        ["resume", "of a message that nobody remembers"],
      ]),
    ).toEqual(["task", "fixed", "nothing to do for this", "resumed"]);
    const other = makePlace(readFileSync(place.script, "utf8"));
    expect(await converse(other, [["task", "x"]], { AO_TASK: "demo/7" })).toEqual(["issue 7"]);
  });

  it("is played only the n-th time if it says so, counted across processes", async () => {
    const place = makePlace({
      scenes: [
        { when: { matches: "go", times: 1 }, ...say("first") },
        { when: { matches: "go", times: 3 }, ...say("third") },
        say("other"),
      ],
    });
    const rehearsal = startRehearsal(place);
    const summaryOf = async (id: string, from = rehearsal): Promise<string | undefined> => {
      from.send({ id, kind: "message", text: "go" });
      return (await from.hear("done"))?.summary;
    };
    expect([await summaryOf("a"), await summaryOf("b")]).toEqual(["first", "other"]);
    await rehearsal.end();
    const next = startRehearsal(place);
    expect([await summaryOf("c", next), await summaryOf("d", next)]).toEqual(["third", "other"]);
    await next.end();
  });

  it("comes from the issue's own script if there is a folder of them", async () => {
    const script = (name: string): string => stringify({ scenes: [say(name)] });
    const place = makePlace({ scenes: [say("not this one")] });
    const folder = join(dirname(place.script), "scripts");
    writeFiles(folder, { "7.yaml": script("seven"), "default.yaml": script("other"), "notes.txt": "no script" });
    const summaryOf = (task: string): Promise<readonly string[]> =>
      converse({ ...place, script: folder }, [["task", "x"]], {
        AO_TASK: task,
        AO_REHEARSAL_STATE: join(dirname(place.script), `${task.replace("/", "-")}.json`),
      });
    expect(await summaryOf("demo/7")).toEqual(["seven"]);
    expect(await summaryOf("demo/8")).toEqual(["other"]);
  });

  it("fixes a mistake when told about it", async () => {
    const place = makePlace({
      scenes: [
        { when: { kind: "task" }, do: [{ write: { path: "sum.js", text: "a - b\n" } }, { commit: "Add the sum" }] },
        {
          when: { kind: "message", matches: "failed" },
          do: [{ replace: { path: "sum.js", find: "-", with: "+" } }, { commit: "Fix the sum" }, { done: "fixed" }],
        },
      ],
    });
    expect(
      await converse(place, [
        ["task", "sum"],
        ["message", "The check failed: 1 is not 3"],
      ]),
    ).toEqual(["", "fixed"]);
    expect(git(place.repo, "log", "--format=%s")).toBe("Fix the sum\nAdd the sum\nfirst\n");
    expect(readFileSync(join(place.repo, "sum.js"), "utf8")).toBe("a + b\n");
  });
});

describe("a question", () => {
  const place = (): Place =>
    makePlace({
      scenes: [
        {
          when: { kind: "task" },
          do: [
            {
              ask: {
                question: "Which for {{id}}?",
                choices: ["red", "blue", "green"],
                // biome-ignore lint/suspicious/noThenProperty: a word of the script
                then: { red: [{ done: "is red" }], else: [{ say: "not red" }] },
              },
            },
            { done: "is not" },
          ],
        },
        say("other"),
      ],
    });

  it.each([
    ["red", "is red"],
    ["blue", "is not"],
  ])("answered with %s leads to: %s", async (choice, summary) => {
    const rehearsal = startRehearsal(place());
    rehearsal.send({ id: "m1", kind: "task" });
    rehearsal.send({ id: "m2", kind: "message" });
    const asked = await rehearsal.hear("asked");
    expect(asked).toEqual({
      kind: "asked",
      id: "m1-q0",
      question: "Which for m1?",
      choices: ["red", "blue", "green"],
    });
    rehearsal.send({ id: "another", kind: "answer", text: "green" });
    rehearsal.send({ id: "m1-q0", kind: "answer", text: choice });
    expect(await rehearsal.hear("done")).toMatchObject({ summary });
    expect(await rehearsal.hear("done")).toMatchObject({ summary: "other" });
    await rehearsal.end();
  });

  it("is asked again by the next process, unless it was already answered", async () => {
    const where = place();
    const first = startRehearsal(where);
    first.send({ id: "m1", kind: "task" });
    await first.hear("asked");
    first.child.kill("SIGKILL");
    await first.over;
    const second = startRehearsal(where, { env: { AO_RESUME: "1" } });
    second.send({ id: "m1", kind: "resume" });
    expect(await second.hear("asked")).toMatchObject({ id: "m1-q0" });
    second.send({ id: "m1-q0", kind: "answer", text: "blue" });
    expect(await second.hear("done")).toMatchObject({ summary: "is not" });
    await second.end();
    const third = startRehearsal(where);
    third.send({ id: "m1", kind: "task", attempt: 2 });
    expect(await third.hear("done")).toMatchObject({ summary: "is not" });
    await third.end();
    expect(third.lines).toEqual(['{"type":"received","id":"m1"}', '{"type":"done","summary":"is not"}']);
  });

  it("that nobody can answer any more ends the program", async () => {
    const rehearsal = startRehearsal(place());
    rehearsal.send({ id: "m1", kind: "task" });
    await rehearsal.hear("asked");
    expect(await rehearsal.end()).toMatchObject({ code: 0 });
    expect(rehearsal.lines.at(-1)).toContain('"ask"');
  });
});

describe("chance", () => {
  const steps = Array.from({ length: 24 }, (_, index) => ({
    maybe: { chance: 0.5, do: [{ say: `${index} yes` }], else: [{ say: `${index} no` }] },
  }));
  async function luck(seed: unknown, id: string, env: Record<string, string> = {}): Promise<readonly string[]> {
    const rehearsal = startRehearsal(makePlace({ seed, scenes: [{ do: steps }] }), { env });
    rehearsal.send({ id, kind: "task" });
    await rehearsal.hear("done");
    await rehearsal.end();
    return rehearsal.lines.filter((line) => !line.startsWith("{"));
  }

  it("is the same for the same seed, whatever the message ids, and differs for another seed or task", async () => {
    const one = await luck(1, "m-a");
    expect(one).toHaveLength(24);
    expect(await luck(1, "m-b")).toEqual(one);
    expect(await luck(2, "m-a")).not.toEqual(one);
    expect(await luck(1, "m-a", { AO_TASK: "demo/9" })).not.toEqual(one);
  });

  it("of 0 never happens and of 1 always", async () => {
    const never = { maybe: { chance: 0, do: [{ say: "no" }] } };
    const always = { maybe: { chance: 1, do: [{ say: "yes" }] } };
    const rehearsal = startRehearsal(makePlace({ scenes: [{ do: [never, always, { done: "" }] }] }));
    rehearsal.send({ id: "m", kind: "task" });
    await rehearsal.hear("done");
    await rehearsal.end();
    expect(rehearsal.lines).toEqual(['{"type":"received","id":"m"}', "yes", '{"type":"done","summary":""}']);
  });
});
