import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { PATIENCE_MS } from "../../../testing/patience.ts";
import { tempDir } from "../../../testing/temp.ts";
import { runBridge } from "../../bridge.ts";
import { openMemory } from "../../memory.ts";
import { createOpencodeDriver } from "./opencode.ts";

const script = (code: string): readonly string[] => [process.execPath, "-e", code];
const MUTE =
  "require('http').createServer(() => {}).listen(0, '127.0.0.1', function () { console.log('listening on http://127.0.0.1:' + this.address().port) })";

describe("an OpenCode that fails to start", () => {
  it.each([
    ["is not there", ["no-such-opencode"], /OpenCode \(no-such-opencode\) is gone: could not be started/],
    ["ends at once", script("console.error('no key'); process.exit(3)"), /exit code 3: no key/],
    ["never listens", script("setInterval(() => {}, 1000)"), /was not ready within 1 s/],
    ["never answers", script(MUTE), /was not ready within 1 s/],
  ])("is reported in a sentence when it %s", async (what, command, sentence) => {
    const dir = tempDir();
    // Only silence is measured by the clock: on a busy machine a program takes time to start.
    const startLimitMs = what.startsWith("never") ? 1000 : PATIENCE_MS;
    const complaints: string[] = [];
    const over = runBridge({
      createDriver: createOpencodeDriver,
      settings: { command, startLimitMs },
      cwd: dir,
      env: { ...process.env, HOME: dir, AO_RESUME: undefined },
      folder: dir,
      memory: openMemory(join(dir, "memory.json")),
      input: new PassThrough(),
      write: () => undefined,
      complain: (text) => void complaints.push(text),
      stop: new Promise(() => undefined),
    });
    expect(await over).toBe(1);
    expect(complaints[0]).toMatch(sentence);
  });
});
