import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { tempDir } from "../testing/temp.ts";
import { followFile } from "./follow-file.ts";

it("returns the file's content and what is appended, in whole, and ends when stopped", async () => {
  const path = join(tempDir(), "in");
  const long = "x".repeat(300_000);
  writeFileSync(path, "first\nsec");
  const stream = followFile(path);
  const lines = createInterface({ input: stream })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => (await lines.next()).value;
  expect(await next()).toBe("first");
  appendFileSync(path, "ond\n");
  expect(await next()).toBe("second");
  appendFileSync(path, `${long}\nlast\n`);
  expect([await next(), await next()]).toEqual([long, "last"]);
  const closed = new Promise((resolve) => stream.once("close", resolve));
  stream.destroy();
  await closed;
});

it("fails if there is no such file", async () => {
  const stream = followFile(join(tempDir(), "missing"));
  const failed = new Promise<Error>((resolve) => stream.once("error", resolve));
  stream.resume();
  expect((await failed).message).toContain("ENOENT");
});

it("returns what is appended even if the file cannot be watched", async () => {
  const path = join(tempDir(), "in");
  writeFileSync(path, "one\n");
  const refused = (): never => {
    throw Object.assign(new Error("too many open files"), { code: "EMFILE" });
  };
  const stream = followFile(path, refused);
  const heard: string[] = [];
  stream.on("data", (bytes) => heard.push(String(bytes)));
  await eventually(async () => expect(heard.join("")).toBe("one\n"));
  appendFileSync(path, "two\n");
  await eventually(async () => expect(heard.join("")).toBe("one\ntwo\n"));
  stream.destroy();
});
