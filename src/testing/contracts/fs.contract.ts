import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HostFs } from "../../ports/host.ts";
import { eventually } from "../eventually.ts";

interface FsContract {
  readonly name: string;
  /** Files, with an empty folder in them. */
  readonly create: () => Promise<{ readonly fs: HostFs; readonly dir: string }>;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

type Fact = (fs: HostFs, dir: string) => Promise<void>;

const FACTS: Readonly<Record<string, Fact>> = {
  "return null for a missing file": async (fs, dir) => {
    const path = join(dir, "none");
    expect([await fs.readText(path), await fs.readBytes(path, 0, 9), await fs.stat(path)]).toEqual([null, null, null]);
    expect([await fs.readLink(path), await fs.realPath(path), await fs.list(path)]).toEqual([null, null, []]);
    await expect(fs.remove(path)).resolves.toBeUndefined();
  },
  "replace a whole file": async (fs, dir) => {
    await fs.writeText(join(dir, "a"), "first");
    await fs.writeText(join(dir, "a"), "é", { mode: 0o600 });
    expect(await fs.readText(join(dir, "a"))).toBe("é");
    expect(await fs.stat(join(dir, "a"))).toMatchObject({ kind: "file", size: 2, mode: 0o600 });
  },
  "append, and read bytes from anywhere": async (fs, dir) => {
    await fs.append(join(dir, "log"), bytes("one\n"));
    await fs.append(join(dir, "log"), bytes("two\n"));
    expect(Buffer.from((await fs.readBytes(join(dir, "log"), 2, 4)) ?? []).toString()).toBe("e\ntw");
    expect(await fs.readBytes(join(dir, "log"), 99, 4)).toHaveLength(0);
  },
  "read the end of a file": async (fs, dir) => {
    expect(await fs.readEnd(join(dir, "none"), 4)).toBeNull();
    await fs.append(join(dir, "log"), bytes("one\ntwo\n"));
    const end = async (max: number): Promise<string> =>
      Buffer.from((await fs.readEnd(join(dir, "log"), max)) ?? []).toString();
    expect([await end(4), await end(8), await end(99)]).toEqual(["two\n", "one\ntwo\n", "one\ntwo\n"]);
  },
  "read a plain file as a whole, and nothing else": async (fs, dir) => {
    await fs.writeText(join(dir, "a"), "one\n");
    await fs.makeLink(join(dir, "a"), join(dir, "link"));
    await fs.makeDir(join(dir, "folder"));
    const read = await fs.readPlain(join(dir, "a"), 4);
    expect(Buffer.from(read?.bytes ?? []).toString()).toBe("one\n");
    expect(read?.mtimeMs).toBe((await fs.stat(join(dir, "a")))?.mtimeMs);
    const others = ["link", "folder", "none"].map((name) => fs.readPlain(join(dir, name), 4));
    expect(await Promise.all([...others, fs.readPlain(join(dir, "a"), 3)])).toEqual([null, null, null, null]);
  },
  "read a long file in one piece, up to the wanted length": async (fs, dir) => {
    const text = Array.from({ length: 10_000 }, (_, n) => `${n}\n`).join("");
    await fs.append(join(dir, "log"), bytes(text));
    const read = async (from: number, max: number): Promise<string> =>
      Buffer.from((await fs.readBytes(join(dir, "log"), from, max)) ?? []).toString();
    expect(await read(5, 30_000)).toBe(text.slice(5, 30_005));
    expect(await read(5, 1_000_000)).toBe(text.slice(5));
    expect(await read(text.length - 3, 1_000_000)).toBe(text.slice(-3));
  },
  "free the space at the start of a file, and keep the offsets of the rest": async (fs, dir) => {
    await fs.append(join(dir, "log"), bytes("one\ntwo\n"));
    // Not every file system supports it; then nothing changes.
    const isFreed = await fs.freeStart(join(dir, "log"), 4);
    await fs.append(join(dir, "log"), bytes("three\n"));
    const text = await fs.readText(join(dir, "log"));
    expect(text).toBe(`${isFreed ? "\0\0\0\0" : "one\n"}two\nthree\n`);
    expect(await fs.freeStart(join(dir, "none"), 4)).toBe(false);
  },
  "reject a write to a missing folder": async (fs, dir) => {
    await expect(fs.writeText(join(dir, "none", "a"), "x")).rejects.toThrow("ENOENT");
    await expect(fs.append(join(dir, "none", "a"), bytes("x"))).rejects.toThrow("ENOENT");
  },
  "create a folder with its parents, and an exclusive one once": async (fs, dir) => {
    expect(await fs.makeDir(join(dir, "a", "b"))).toBe(true);
    expect(await fs.makeDir(join(dir, "a", "b"))).toBe(true);
    expect(await fs.makeDir(join(dir, "lock"), { exclusive: true })).toBe(true);
    expect(await fs.makeDir(join(dir, "lock"), { exclusive: true })).toBe(false);
    expect(await fs.list(dir)).toEqual(["a", "lock"]);
  },
  "move, copy and remove trees": async (fs, dir) => {
    await fs.makeDir(join(dir, "a", "b"));
    await fs.writeText(join(dir, "a", "b", "c"), "x");
    await fs.rename(join(dir, "a"), join(dir, "d"));
    expect(await fs.readText(join(dir, "d", "b", "c"))).toBe("x");
    expect(await fs.stat(join(dir, "a"))).toBeNull();
    await fs.copy(join(dir, "d"), join(dir, "e"));
    await expect(fs.copy(join(dir, "d", "b", "c"), join(dir, "e", "b", "c"))).rejects.toThrow();
    await fs.remove(join(dir, "d"));
    expect(await fs.list(dir)).toEqual(["e"]);
    expect(await fs.readText(join(dir, "e", "b", "c"))).toBe("x");
  },
  "move to where nothing is, and leave alone what is there": async (fs, dir) => {
    await fs.writeText(join(dir, "new"), "new");
    await fs.writeText(join(dir, "taken"), "of somebody else");
    expect(await fs.moveNew(join(dir, "new"), join(dir, "taken"))).toBe(false);
    expect(await fs.readText(join(dir, "taken"))).toBe("of somebody else");
    expect(await fs.moveNew(join(dir, "new"), join(dir, "free"))).toBe(true);
    await fs.makeLink("some/where", join(dir, "link"));
    expect(await fs.moveNew(join(dir, "link"), join(dir, "taken"))).toBe(false);
    expect(await fs.moveNew(join(dir, "link"), join(dir, "moved"))).toBe(true);
    expect(await fs.readLink(join(dir, "moved"))).toBe("some/where");
    await fs.makeDir(join(dir, "folder", "inner"));
    await fs.makeDir(join(dir, "other", "inner"));
    expect(await fs.moveNew(join(dir, "folder"), join(dir, "other"))).toBe(false);
    expect(await fs.moveNew(join(dir, "folder"), join(dir, "free folder"))).toBe(true);
    expect(await fs.list(dir)).toEqual(["free", "free folder", "moved", "other", "taken"]);
  },
  "keep links as links": async (fs, dir) => {
    await fs.makeLink("some/where", join(dir, "link"));
    expect(await fs.readLink(join(dir, "link"))).toBe("some/where");
    expect(await fs.stat(join(dir, "link"))).toMatchObject({ kind: "symlink" });
  },
  "call back on a change in a folder until stopped": async (fs, dir) => {
    let calls = 0;
    const stop = fs.watch(dir, () => {
      calls += 1;
    });
    await fs.append(join(dir, "out"), bytes("x"));
    await eventually(async () => expect(calls).toBeGreaterThan(0));
    stop();
    const before = calls;
    await fs.append(join(dir, "out"), bytes("y"));
    expect(calls).toBe(before);
  },
};

/** The facts that hold for every host's files; the real and the in-memory files run them. */
export function describeFsContract({ name, create }: FsContract): void {
  describe(`the files of ${name}`, () => {
    for (const [fact, run] of Object.entries(FACTS)) {
      it(fact, async () => {
        const { fs, dir } = await create();
        await run(fs, dir);
      });
    }
  });
}
