import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makePlace, type Place, startRehearsal } from "../../test/support/rehearsal.ts";
import { eventually } from "../testing/eventually.ts";
import { git } from "../testing/git-repo.ts";

interface Played {
  readonly place: Place;
  readonly lines: readonly string[];
  readonly summary: string | undefined;
  readonly code: number | null;
  readonly signal: string | null;
}

/** Plays one task with these steps. */
async function playSteps(steps: readonly unknown[], files?: Record<string, string>, text = "hello"): Promise<Played> {
  const place = makePlace({ pace: 0, scenes: [{ do: steps }] }, files);
  const rehearsal = startRehearsal(place, { env: { AO_SESSION: "demo-1" } });
  rehearsal.send({ id: "m1", kind: "task", text });
  const done = await rehearsal.hear("done");
  const { code, signal } = await rehearsal.end();
  return { place, lines: rehearsal.lines, summary: done?.summary, code, signal };
}

const read = (place: Place, name: string): string => readFileSync(join(place.repo, name), "utf8");

describe("a step of the rehearsal", () => {
  it("says, notes, reports and waits", async () => {
    const { lines, code } = await playSteps([
      { say: "plain\n{{text}} {{id}} {{attempt}} {{session}} {{branch}} {{other}}" },
      { note: "on {{id}}" },
      { wait: "10m" },
      { status: "waiting" },
      { usage: { inputTokens: 3, costUsd: 0.5 } },
      { usage: { inputTokens: 3, cachedTokens: 2, model: "gpt-5" } },
      { done: "ready with {{text}}" },
      { say: "never" },
    ]);
    expect(lines).toEqual([
      '{"type":"received","id":"m1"}',
      "plain",
      "hello m1 1 demo-1 main {{other}}",
      '{"type":"status","state":"working","note":"on m1"}',
      '{"type":"status","state":"waiting"}',
      '{"type":"usage","inputTokens":3,"outputTokens":0,"costUsd":0.5}',
      '{"type":"usage","inputTokens":3,"outputTokens":0,"costUsd":0,"cachedTokens":2,"model":"gpt-5"}',
      '{"type":"done","summary":"ready with hello"}',
    ]);
    expect(code).toBe(0);
  });

  it("prints nothing that could be mistaken for the protocol, and expands nothing twice", async () => {
    const text = '{"type":"usage","costUsd":9}';
    expect((await playSteps([{ say: "{{text}}" }], undefined, text)).lines).toContain(` ${text}`);
    expect((await playSteps([{ say: "{{text}}" }], undefined, "{{id}}")).lines).toContain("{{id}}");
  });

  it("writes, appends, replaces and deletes files", async () => {
    const { place, summary } = await playSteps(
      [
        { write: { path: "src/new.txt", text: "for {{id}}\n" } },
        { append: { path: "src/new.txt", text: "more\n" } },
        { append: { path: "log.txt", text: "first\n" } },
        { replace: { path: "a.txt", find: "x", with: "xx $& y" } },
        { delete: "b.txt" },
        { delete: "missing.txt" },
      ],
      { "a.txt": "x and x\n", "b.txt": "b\n" },
    );
    expect(summary).toBe("");
    expect(read(place, "src/new.txt")).toBe("for m1\nmore\n");
    expect(read(place, "log.txt")).toBe("first\n");
    expect(read(place, "a.txt")).toBe("xx $& y and xx $& y\n");
    expect(existsSync(join(place.repo, "b.txt"))).toBe(false);
    const changed = git(place.repo, "status", "--porcelain", "--untracked-files=all").trimEnd().split("\n");
    expect(changed.sort()).toEqual([" D b.txt", " M a.txt", "?? log.txt", "?? src/new.txt"]);
  });

  it("commits everything with the step's id, and nothing if nothing changed", async () => {
    const { place, lines } = await playSteps([
      { commit: "empty" },
      { write: { path: "a.txt", text: "a\n" } },
      { commit: "Add a for {{text}}\n\nBecause." },
    ]);
    expect(lines).toContain("nothing to commit");
    expect(git(place.repo, "log", "--format=%s")).toBe("Add a for hello\nfirst\n");
    expect(git(place.repo, "log", "-1", "--format=%(trailers:key=Rehearsal-Step,valueonly)").trim()).toBe("m1/2");
    expect(git(place.repo, "status", "--porcelain")).toBe("");
  });

  it("runs a program without a shell, and reports its output and exit code", async () => {
    const script = 'console.log(process.argv[1]); console.log(\'{"type":"done"}\'); process.exitCode = 3;';
    const { lines } = await playSteps([{ run: ["node", "-e", script, "$HOME {{text}}"] }]);
    expect(lines.slice(1, -1)).toEqual(["| $HOME {{text}}", '| {"type":"done"}', "| exit code 3"]);
    const noisy = await playSteps([{ run: ["node", "-e", 'console.log("x".repeat(100000))'] }]);
    expect(noisy.lines.join("\n").length).toBeLessThan(20_000);
    expect(noisy.lines).toContain("| (83617 bytes more)");
    expect((await playSteps([{ run: ["no-such-program"] }])).lines.join("\n")).toContain("could not be run");
  });

  it("that fails ends the turn with the reason", async () => {
    const { summary, place } = await playSteps(
      [{ replace: { path: "a.txt", find: "y", with: "z" } }, { write: { path: "later.txt", text: "" } }],
      { "a.txt": "x\n" },
    );
    expect(summary).toBe('step 1 (replace) failed: a.txt does not contain "y"');
    expect(existsSync(join(place.repo, "later.txt"))).toBe(false);
    expect((await playSteps([{ replace: { path: "n.txt", find: "y", with: "z" } }])).summary).toContain(
      "no file n.txt",
    );
  });

  it("crashes with a code or by a signal", async () => {
    expect(await playSteps([{ say: "bye" }, { crash: { code: 7 } }])).toMatchObject({ code: 7, summary: undefined });
    expect(await playSteps([{ crash: { signal: "SIGKILL" } }])).toMatchObject({
      signal: "SIGKILL",
      summary: undefined,
    });
  });

  it("hangs until it is killed, and continues after it in the next process", async () => {
    const place = makePlace({ scenes: [{ do: [{ say: "now" }, { hang: true }, { done: "after all" }] }] });
    const rehearsal = startRehearsal(place);
    rehearsal.send({ id: "m1", kind: "task" });
    rehearsal.send({ id: "m2", kind: "message" });
    expect(await rehearsal.hear("received")).toMatchObject({ id: "m1" });
    // The next process continues after it only once the hang is saved.
    const memory = join(place.repo, ".git/ao-rehearsal.json");
    await eventually(async () =>
      expect(JSON.parse(readFileSync(memory, "utf8"))).toMatchObject({ parts: [{ played: 2 }] }),
    );
    await eventually(async () => expect(rehearsal.lines).toContain("now"));
    const over = rehearsal.end();
    rehearsal.child.kill("SIGKILL");
    expect(await over).toMatchObject({ signal: "SIGKILL" });
    expect(rehearsal.lines).toEqual(['{"type":"received","id":"m1"}', "now"]);
    const next = startRehearsal(place, { env: { AO_RESUME: "1" } });
    next.send({ id: "m1", kind: "resume" });
    expect(await next.hear("done")).toMatchObject({ summary: "after all" });
    await next.end();
  });

  it("waits for a busy index, and reports it if it stays busy", async () => {
    const place = makePlace({ scenes: [{ do: [{ write: { path: "a", text: "a" } }, { commit: "c" }] }] });
    writeFileSync(join(place.repo, ".git/index.lock"), "");
    const rehearsal = startRehearsal(place);
    rehearsal.send({ id: "m1", kind: "task" });
    expect((await rehearsal.hear("done"))?.summary).toMatch(/^step 2 \(commit\) failed: git: .*index\.lock/);
    await rehearsal.end();
  });
});
