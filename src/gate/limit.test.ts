import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ENFORCED_FILE, encodeLimit, LIMIT_FILE } from "../core/sandbox.ts";
import { tempDir } from "../testing/temp.ts";
import { openLimit } from "./limit.ts";

function write(folder: string, text: string): void {
  writeFileSync(join(folder, LIMIT_FILE), text);
}

describe("the limit of a proxy", () => {
  it.each<[string, string | null, readonly string[] | null]>([
    ["no file limits nothing", null, null],
    ["null limits nothing", "null", null],
    ["a list allows its hosts", '["api.example.com"]', ["api.example.com"]],
    ["an empty list allows nothing", "[]", []],
    ["half a list allows nothing", '["api.exa', []],
    ["an empty file allows nothing", "", []],
    ["anything else allows nothing", '{"all":true}', []],
    ["a list of other things allows nothing", "[1]", []],
  ])("%s", (_, text, hosts) => {
    const folder = tempDir("ao-limit-");
    if (text !== null) write(folder, text);
    expect(openLimit(folder).hosts()).toEqual(hosts);
  });

  it("allows nothing if the file cannot be read", () => {
    const folder = tempDir("ao-limit-");
    mkdirSync(join(folder, LIMIT_FILE));
    expect(openLimit(folder).hosts()).toEqual([]);
  });

  it("enforces each change once and then confirms it, the first at once", async () => {
    const folder = tempDir("ao-limit-");
    const limit = openLimit(folder);
    const seen: string[] = [];
    let next = (): void => undefined;
    const stop = limit.follow(() => {
      seen.push(JSON.stringify(limit.hosts()));
      next();
    });
    onTestFinished(stop);
    const confirmed = (): string => readFileSync(join(folder, ENFORCED_FILE), "utf8");
    expect(confirmed()).toBe(encodeLimit(null));
    const enforced = new Promise<string>((done) => {
      // Enforced first, confirmed after it.
      next = () => done(confirmed());
    });
    write(folder, encodeLimit(["a.example"]));
    expect(await enforced).toBe(encodeLimit(null));
    await expect.poll(confirmed).toBe(encodeLimit(["a.example"]));
    expect(seen).toEqual(["null", '["a.example"]']);
  });
});
