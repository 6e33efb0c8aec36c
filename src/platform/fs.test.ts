import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../testing/temp.ts";
import { createHostFs } from "./fs.ts";

const fs = createHostFs();

describe("a bell", () => {
  it("wakes whoever waits on the FIFO", async () => {
    const bell = join(tempDir(), "bell");
    execFileSync("mkfifo", [bell]);
    const waiting = spawn("sh", ["-c", 'exec 6<>"$1"; echo ready; read -r _ <&6 && echo heard', "sh", bell]);
    await once(waiting.stdout, "data");
    const heard = once(waiting.stdout, "data");
    await fs.ring(bell);
    expect(String(await heard)).toBe("heard\n");
  });

  it("does nothing when the FIFO is missing or not open", async () => {
    const bell = join(tempDir(), "bell");
    await expect(fs.ring(bell)).resolves.toBeUndefined();
    execFileSync("mkfifo", [bell]);
    await expect(fs.ring(bell)).resolves.toBeUndefined();
  });

  it("never blocks, even if rung more often than the FIFO can hold", async () => {
    const bell = join(tempDir(), "bell");
    execFileSync("mkfifo", [bell]);
    const full = 'exec 6<>"$1"; head -c 65536 /dev/zero >&6; echo ready; sleep 1000';
    const deaf = spawn("sh", ["-c", full, "sh", bell], { detached: true });
    await once(deaf.stdout, "data");
    await expect(fs.ring(bell)).resolves.toBeUndefined();
    process.kill(-(deaf.pid ?? 0), "SIGKILL");
  });
});

describe("a FIFO in the place of a file", () => {
  it("is never waited for", async () => {
    const path = join(tempDir(), "out");
    execFileSync("mkfifo", [path]);
    const settled = (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => "done",
        (error: NodeJS.ErrnoException) => error.code ?? "",
      );
    expect(await settled(fs.readBytes(path, 0, 9))).toBe("ESPIPE");
    expect(await settled(fs.readEnd(path, 9))).toBe("ESPIPE");
    expect(await settled(fs.append(path, new Uint8Array([1])))).toBe("ENXIO");
  });
});
