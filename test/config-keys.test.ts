import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DEFAULT_REACTIONS } from "../src/config/default-reactions.ts";
import { listKeys } from "../src/config/help.ts";
import { isInEffect } from "../src/config/in-effect.ts";
import { CHANGE_PROBLEMS, SESSION_PROBLEMS } from "../src/core/reaction/detected-problem.ts";
import { eventOfKey } from "../src/core/reaction/event-keys.ts";
import { REACTION_KEYS } from "../src/core/reaction/reaction-keys.ts";

const SRC = join(import.meta.dirname, "../src");

// Code that declares a key, or marks it as not implemented, does not read it.
const DECLARES = /^config\/(schema|in-effect|help|reference|settings|when-applied)/;

const CODE = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !DECLARES.test(path))
  .map((path) => ({ path, text: readFileSync(join(SRC, path), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "") }));

/** The name that code would read: the key itself, or the map or list that contains it. */
function nameOf(path: string): string {
  const names = path.split(".").filter((part) => !part.startsWith("<"));
  return (names.at(-1) ?? "").replace("[]", "");
}

function readersOf(name: string): readonly string[] {
  const word = new RegExp(`[.\\s{["'(]${name.replace("$", "\\$")}\\b`);
  return CODE.filter(({ text }) => word.test(text)).map(({ path }) => path);
}

it("every configuration key is read by code or marked as not implemented yet", () => {
  const reference = readFileSync(join(SRC, "../docs/reference/config.md"), "utf8");
  const unread = listKeys().filter(({ path, inEffect }) => {
    if (!inEffect) return !reference.includes(`| \`${path}\` |`) || !/Not implemented yet/.test(reference);
    // Only for editors.
    return path !== "$schema" && readersOf(nameOf(path)).length === 0;
  });
  expect(unread.map(({ path }) => path)).toEqual([]);
});

it("every implemented reaction has a trigger", () => {
  const detected: readonly string[] = [...CHANGE_PROBLEMS, ...SESSION_PROBLEMS, "all-complete", "main-broken"];
  const idle = REACTION_KEYS.filter(
    (key) => isInEffect(["reactions", key]) && !detected.includes(key) && eventOfKey(key) === null,
  );
  expect(idle).toEqual([]);
  const unknown = Object.keys(DEFAULT_REACTIONS).filter((key) => !(REACTION_KEYS as readonly string[]).includes(key));
  expect(unknown).toEqual([]);
});
