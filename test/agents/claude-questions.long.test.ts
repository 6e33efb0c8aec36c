import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claude, commit, makeClaudeBench } from "./support/claude.ts";

describe.skipIf(claude === null)("a question from Claude Code", () => {
  it("about a tool can be answered through ao: once, always, or no", async () => {
    const { place, model, start, commits } = await makeClaudeBench();
    const bridge = start({ permissions: "ask", allow: [] });
    const steps = [commit("one"), "mkdir two", "mkdir two/three", "mkdir four"].map((command) => `[[run: ${command}]]`);
    bridge.send({ id: "m1", kind: "task", text: `${steps.join(" ")} [[say: over]]` });
    const first = await bridge.hear({ type: "ask" });
    const detail = { format: "command", text: commit("one") };
    expect(first).toMatchObject({ kind: "permission", question: "Claude Code wants to run:", detail, freeText: true });
    expect(commits()).toEqual([]);
    bridge.send({ id: "m2", kind: "message", text: "While it waits." });
    bridge.send({ id: String(first["id"]), kind: "answer", text: "allow" });
    const second = await bridge.hear({ type: "ask" }, 2);
    expect(second["choices"]).toEqual(["allow", "allow always", "deny"]);
    expect(second["descriptions"]).toMatchObject({
      "allow always": expect.stringMatching(/^Bash\(mkdir.*\); until the agent's process ends$/),
    });
    expect(commits()).toEqual(["one"]);
    bridge.send({ id: String(second["id"]), kind: "answer", text: "allow always" });
    for (let n = 3; ; n += 1) {
      const next = await Promise.race([bridge.hear({ type: "ask" }, n), bridge.hear({ type: "done" })]);
      if (next.type === "done") break;
      bridge.send({ id: String(next["id"]), kind: "answer", text: "deny" });
    }
    expect(existsSync(join(place.workspace, "two"))).toBe(true);
    expect(existsSync(join(place.workspace, "four"))).toBe(false);
    expect(model.countInLast("While it waits.")).toBe(1);
    expect(readdirSync(place.workspace)).not.toContain(".claude");
    await bridge.end();
  });

  it("shows everything it wants to run, write and edit, and passes the reason for a no to the model", async () => {
    const { place, model, start } = await makeClaudeBench();
    writeFileSync(join(place.workspace, "notes.md"), "one\ntwo\nthree\n");
    const bridge = start({ permissions: "ask", allow: [] });
    const tool = (name: string, input: object): string => `[[tool: ${name} ${JSON.stringify(input)}]]`;
    const path = join(place.workspace, "notes.md");
    const command = `echo tidy up\ncat > x.txt <<EOF\n${"\tline\n".repeat(200)}EOF\nrm -f license`;
    const steps = [
      tool("Bash", { command, description: "Tidies up" }),
      tool("Write", { file_path: join(place.workspace, "new.md"), content: "# New\n\ntext\n" }),
      tool("Read", { file_path: path }),
      tool("Write", { file_path: path, content: "one\n2\nthree\n" }),
      tool("Edit", { file_path: path, old_string: "2", new_string: "two\nand a half" }),
    ];
    bridge.send({ id: "m1", kind: "task", text: `${steps.join(" ")} [[say: over]]` });
    const answers = ["no, use sed instead", "allow", "allow", "allow"];
    const asked: unknown[] = [];
    for (const [n, text] of answers.entries()) {
      const question = await bridge.hear({ type: "ask" }, n + 1);
      asked.push([question["question"], question["detail"]]);
      bridge.send({ id: String(question["id"]), kind: "answer", text });
    }
    await bridge.hear({ type: "done", summary: "over" });
    const hunk = "--- notes.md\n+++ notes.md\n@@ -1,3";
    expect(asked).toEqual([
      ["Claude Code wants to run:", { format: "command", text: command }],
      ["Claude Code wants to create new.md:", { format: "text", text: "# New\n\ntext\n" }],
      [
        "Claude Code wants to edit notes.md (+1 -1):",
        { format: "diff", text: `${hunk} +1,3 @@\n one\n-two\n+2\n three` },
      ],
      [
        "Claude Code wants to edit notes.md (+2 -1):",
        { format: "diff", text: `${hunk} +1,4 @@\n one\n-2\n+two\n+and a half\n three` },
      ],
    ]);
    expect(readFileSync(path, "utf8")).toBe("one\ntwo\nand a half\nthree\n");
    const results = (model.calls.at(-1)?.turns ?? []).filter(({ by }) => by === "tool");
    expect(results[0]?.text).toContain("The user denied this: no, use sed instead");
    await bridge.end();
  });

  it("for the user has its own choices", async () => {
    const { model, start } = await makeClaudeBench();
    const bridge = start();
    const option = (label: string): object => ({ label, description: `${label},\nas ever` });
    const questions = ["Which color?", "Which size?"].map((question) => ({
      question,
      header: "Look",
      options: [option("red"), option("blue")],
      multiSelect: false,
    }));
    bridge.send({
      id: "m1",
      kind: "task",
      text: `[[tool: AskUserQuestion ${JSON.stringify({ questions })}]] [[say: thanks]]`,
    });
    const first = await bridge.hear({ type: "ask" });
    expect(first).toMatchObject({
      ...{ kind: "question", question: "Which color?", choices: ["red", "blue"], freeText: true },
      descriptions: { red: "red,\nas ever", blue: "blue,\nas ever" },
    });
    bridge.send({ id: String(first["id"]), kind: "answer", text: "green, if there is any" });
    const second = await bridge.hear({ type: "ask", question: "Which size?" });
    bridge.send({ id: String(second["id"]), kind: "answer", text: "red" });
    await bridge.hear({ type: "done", summary: "thanks" });
    const [result] = (model.calls.at(-1)?.turns ?? []).filter(({ by }) => by === "tool");
    expect(JSON.parse(result?.text ?? "")).toMatch(/"Which color\?"="green, if there is any".*"Which size\?"="red"/);
    await bridge.end();
  });
});
