import { spawn, spawnSync } from "node:child_process";
import { EventEmitter } from "node:events";
import { type FSWatcher, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../../../../testing/eventually.ts";
import { tempDir } from "../../../../testing/temp.ts";
import { openHookFolder, type WatchFolder } from "./hook-folder.ts";
import { HOOK_SCRIPT } from "./hooks.ts";

interface Scene {
  readonly script: string;
  readonly folder: string;
  readonly heard: readonly string[];
  readonly numbers: readonly number[];
  start(): ReturnType<typeof openHookFolder>;
  tell(text: string): void;
}

/** A watch that never reports anything. */
const BROKEN = Object.assign(new EventEmitter(), { close: () => undefined }) as unknown as FSWatcher;

function aScene(watchFolder?: WatchFolder): Scene {
  const root = tempDir("ao hooks '");
  const script = join(root, "hook.sh");
  const folder = join(root, "events");
  writeFileSync(script, HOOK_SCRIPT);
  const [heard, numbers]: [string[], number[]] = [[], []];
  return {
    script,
    folder,
    heard,
    numbers,
    start: () => {
      const opened = openHookFolder(folder, watchFolder);
      opened.start((n, text) => {
        numbers.push(n);
        heard.push(text);
      });
      onTestFinished(() => opened.stop());
      return opened;
    },
    tell: (text) => void spawnSync("sh", [script, folder], { input: text }),
  };
}

it("reports complete events in order, and keeps only the newest, whose number the script continues", async () => {
  const scene = aScene();
  scene.start();
  const long = JSON.stringify({ text: "x".repeat(200_000) });
  for (const text of ["one", "two", long, "four"]) scene.tell(text);
  await eventually(async () => expect(scene.heard).toEqual(["one", "two", long, "four"]));
  expect(readdirSync(scene.folder)).toEqual([`e${scene.numbers.at(-1)}`]);
});

it.each<[string, WatchFolder, (scene: Scene) => void]>([
  [
    "cannot be opened",
    () => {
      throw Object.assign(new Error("too many open files"), { code: "EMFILE" });
    },
    () => undefined,
  ],
  ["breaks later", () => BROKEN, () => BROKEN.emit("error", new Error("gone"))],
])("reports events even if its watch %s", async (_what, watchFolder, disturb) => {
  const scene = aScene(watchFolder);
  scene.start();
  disturb(scene);
  for (const text of ["one", "two"]) scene.tell(text);
  await eventually(async () => expect(scene.heard).toEqual(["one", "two"]));
});

it("loses none of many simultaneous events", async () => {
  const scene = aScene();
  scene.start();
  const tellers = Array.from({ length: 20 }, (_, n) => {
    const child = spawn("sh", [scene.script, scene.folder], { stdio: ["pipe", "ignore", "ignore"] });
    child.stdin.end(String(n));
    return new Promise((resolve) => child.on("exit", resolve));
  });
  await Promise.all(tellers);
  await eventually(async () => expect(scene.heard).toHaveLength(20));
  expect([...scene.heard].map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
});

it("skips events of an earlier program, and continues its numbering", async () => {
  const scene = aScene();
  openHookFolder(scene.folder);
  scene.tell("old");
  scene.start();
  scene.tell("new");
  await eventually(async () => expect(scene.heard).toEqual(["new"]));
});

it.each([
  ["an answer", '{"decision":"allow"}'],
  ["nothing, when it was decided elsewhere", null],
])("lets a waiting script continue with %s", async (_what, answer) => {
  const scene = aScene();
  const folder = scene.start();
  const child = spawn("sh", [scene.script, scene.folder, "ask"], { stdio: ["pipe", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (chunk) => {
    said += chunk;
  });
  const over = new Promise((resolve) => child.on("close", resolve));
  child.stdin.end("may I?");
  await eventually(async () => expect(scene.heard).toEqual(["may I?"]));
  await folder.release(scene.numbers[0] ?? 0, answer);
  expect(await over).toBe(0);
  expect(said).toBe(answer ?? "");
  expect(readdirSync(scene.folder).filter((name) => !name.startsWith("e"))).toEqual([]);
});
