import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makePlace, rehearsalProgram, startRehearsal } from "../../test/support/rehearsal.ts";
import { tempDir } from "../testing/temp.ts";

function run(...args: string[]): { readonly status: number | null; readonly stderr: string } {
  return spawnSync(process.execPath, [rehearsalProgram, ...args], { encoding: "utf8" });
}

describe("the program", () => {
  it("checks a script without playing it", () => {
    expect(run("--check", makePlace("scenes: [{ do: [{ crash: { code: 1 } }] }]").script)).toMatchObject({ status: 0 });
    const wrong = run("--check", makePlace("scenes: [{ do: [{ wait: 1 }] }]").script);
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toMatch(/^The script .*script\.yaml cannot be played: scenes\.0\.do\.0\.wait: .*\n$/);
  });

  it("checks every script of a folder", () => {
    const folder = tempDir();
    expect(run("--check", folder)).toMatchObject({ status: 2, stderr: `The folder ${folder} has no scripts.\n` });
    writeFileSync(join(folder, "1.yaml"), "scenes: [{ do: [] }]");
    expect(run("--check", folder)).toMatchObject({ status: 0 });
    writeFileSync(join(folder, "2.yaml"), "scenes: []");
    expect(run("--check", folder).stderr).toContain("2.yaml cannot be played");
  });

  it("reports an issue without a script", async () => {
    const place = makePlace("scenes: [{ do: [] }]");
    const folder = tempDir();
    const { code, stderr } = await startRehearsal({ ...place, script: folder }, { env: { AO_TASK: "demo/7" } }).over;
    expect({ code, stderr }).toEqual({ code: 2, stderr: `The folder ${folder} has no script for the issue "7".\n` });
  });

  it("waits less at a faster pace", async () => {
    const place = makePlace("scenes: [{ do: [{ wait: 10m }, { done: slept }] }]");
    const { status, stdout } = spawnSync(process.execPath, [rehearsalProgram, "--pace", "0", place.script], {
      cwd: place.repo,
      encoding: "utf8",
      input: '{"type":"task","id":"m1","text":""}\n',
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('"summary":"slept"') });
  });

  it.each([[], ["--pace", "soon", "x.yaml"], ["--pace", "-1", "x.yaml"], ["--slow", "x.yaml"], ["a.yaml", "b.yaml"]])(
    "prints its usage when called with %s %s %s",
    (...args: string[]) => {
      expect(run(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining("Usage") });
    },
  );

  it("keeps its memory in the git folder, or in the given place", async () => {
    const place = makePlace("scenes: [{ do: [] }]");
    const own = join(dirname(place.script), "state.json");
    for (const env of [{}, { AO_REHEARSAL_STATE: own }]) {
      const rehearsal = startRehearsal(place, { env });
      rehearsal.send({ id: "m1", kind: "task" });
      await rehearsal.hear("done");
      await rehearsal.end();
      expect(existsSync(own)).toBe("AO_REHEARSAL_STATE" in env);
    }
    expect(readFileSync(own, "utf8")).toBe(readFileSync(join(place.repo, ".git/ao-rehearsal.json"), "utf8"));
  });

  it("does not play with an unreadable memory", async () => {
    const place = makePlace("scenes: [{ do: [] }]");
    writeFileSync(join(place.repo, ".git/ao-rehearsal.json"), "{");
    const { code, stderr } = await startRehearsal(place).over;
    expect(code).toBe(2);
    expect(stderr).toContain("ao-rehearsal.json cannot be read");
  });
});
