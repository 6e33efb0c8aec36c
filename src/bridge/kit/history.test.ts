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
