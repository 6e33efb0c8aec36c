import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { expect, it } from "vitest";
import { makeRepo } from "../../../src/testing/git-repo.ts";
import { expectRefusal } from "./picture.ts";
import { makePlace, openShell } from "./shell.ts";

/** Sets the format version of a store that no daemon has open; returns the one before. */
function setVersion(file: string, version: number): number {
  const db = new Database(file);
  const { user_version: before } = db.prepare("pragma user_version").get() as { user_version: number };
  db.exec(`pragma user_version = ${version}; pragma wal_checkpoint(truncate)`);
  db.close();
  return before;
}

it("a store of a newer version is refused and left alone, also by doctor --fix, which says that it cannot help", async () => {
  const { dir, aoHome, env } = makePlace();
  const shell = openShell(makeRepo(join(dir, "demo")), env);
  await shell.ok("start", "--detach", "--no-open");
  await shell.ok("stop");
  const file = join(aoHome, "ao.db");
  const version = setVersion(file, 99);
  const bytes = readFileSync(file);
  expectRefusal("list", await shell.ao("list"), /newer ao .*99.*\nhint: Install that version again.*AO_HOME/);
  const examined = await shell.ao("doctor", "--fix");
  expect(examined).toMatchObject({ code: 1, err: expect.stringContaining("only repairs a damaged store") });
  expect(examined.out).toMatch(/fail {2}daemon: .*newer ao.*\n +fix: Install that version again/);
  expect(readFileSync(file).equals(bytes)).toBe(true);
  setVersion(file, version);
  expect(await shell.json("projects")).toMatchObject({ data: [{ id: "demo" }] });
});
