import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../testing/temp.ts";
import { openHistory } from "./history.ts";

describe("the prompt history", () => {
  it("learns from the replay which prompt arrived, even among equal ones", () => {
    const path = join(tempDir(), "bridge/prompts.jsonl");
    const first = openHistory(path);
    for (const id of ["a", "b", "c"]) first.add({ id, text: id === "a" ? "Task" : "again" });
    const second = openHistory(path);
    for (const text of ["Task", "<reminder>x</reminder>", "ag", "ain"]) second.addReplayed(text);
    second.loaded();
    expect(second.recall("a")).toEqual({ kind: "taken", answer: null });
    expect(second.recall("b")).toEqual({ kind: "taken", answer: null });
    expect(second.recall("c")).toEqual({ kind: "absent" });
    expect(second.recall("never given")).toEqual({ kind: "absent" });
  });

  /** What a new process recalls of the last prompt, if the replay contains these texts. */
  function recallLast(given: readonly string[], replayed: readonly string[]): string {
    const path = join(tempDir(), "prompts.jsonl");
    const first = openHistory(path);
    given.forEach((text, n) => {
      first.add({ id: `p${n}`, text });
    });
    const second = openHistory(path);
    for (const text of replayed) second.addReplayed(text);
    second.loaded();
    return second.recall(`p${given.length - 1}`).kind;
  }

  it("does not take a short prompt for its words in an earlier one", () => {
    const task = "Write a test for the parser, then test it";
    expect(recallLast([task, "test"], [task])).toBe("absent");
    expect(recallLast([task, "test"], [task, "test"])).toBe("taken");
    expect(recallLast([task, "Write"], [task])).toBe("absent");
    expect(recallLast(["test the test", "test"], ["test the test"])).toBe("absent");
    expect(recallLast([task, "Your message was: x"], [task, "Your message was: x"])).toBe("taken");
    // An earlier prompt that is no longer in the conversation does not count.
    expect(recallLast([task, "test"], ["<summary/>", "test"])).toBe("taken");
  });

  it("does not know about a prompt whose words may be in the part of an earlier one that was not kept", () => {
    const long = `Task ${"x".repeat(40_000)} test`;
    expect(recallLast([long, "test"], [long])).toBe("unknown");
    expect(recallLast([long, "test"], [long, "test"])).toBe("unknown");
    expect(recallLast([long, "go"], [long])).toBe("absent");
    // A prompt longer than a needle is not there by chance.
    const next = `Now ${"y".repeat(400)}`;
    expect(recallLast([long, next], [long, next])).toBe("taken");
  });

  it("does not take a prompt for our own words in a conversation that lost its past", () => {
    const path = join(tempDir(), "prompts.jsonl");
    const first = openHistory(path);
    first.add({ id: "a", text: "Task" });
    first.lost();
    const retold = first.compose({ id: "b", text: "Go" });
    first.add({ id: "b", text: "Go" });
    first.add({ id: "c", text: "continue" });
    const second = openHistory(path);
    second.addReplayed(retold);
    second.loaded();
    expect(["a", "b", "c"].map((id) => second.recall(id).kind)).toEqual(["taken", "taken", "absent"]);
  });

  it("knows nothing if the replay contains no user messages", () => {
    const history = openHistory(join(tempDir(), "prompts.jsonl"));
    history.add({ id: "a", text: "Task" });
    history.loaded();
    expect(history.recall("a")).toEqual({ kind: "unknown" });
  });

  it("repeats the past once in a conversation that lost it", () => {
    const path = join(tempDir(), "prompts.jsonl");
    const first = openHistory(path);
    first.add({ id: "a", text: "The task" });
    first.add({ id: "b", text: "A message" });
    first.add({ id: "b.go-on-1", text: "Go on" });
    appendFileSync(path, '{"id":"torn');
    const second = openHistory(path);
    second.lost();
    expect(second.recall("b")).toEqual({ kind: "absent" });
    const text = second.compose({ id: "b", text: "A message" });
    expect(text).toMatch(/conversation so far is lost.*The task.*git status.*A message$/s);
    expect(text).not.toContain("Go on");
    expect(text.split("A message")).toHaveLength(2);
    expect(second.compose({ id: "c", text: "Next" })).toBe("Next");
  });
});
