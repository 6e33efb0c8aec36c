import { expect, it } from "vitest";
import { explainSqlite } from "./sqlite-error.ts";

const failing = (code: string, text = ""): Error => Object.assign(new Error(`${code}: ${text}`), { code });

it.each<readonly [string, Error, string, RegExp, RegExp]>([
  ["immutable", failing("EPERM", "operation not permitted"), "store-unwritable", /cannot be written/, /lsattr/],
  ["somebody else's", failing("EACCES", "permission denied"), "store-unwritable", /cannot be written/, /ls -ld/],
  ["read-only", failing("EROFS"), "store-unwritable", /cannot be written/, /AO_HOME/],
  ["without a descriptor left", failing("EMFILE"), "store-unwritable", /too many files are open/, /ulimit -n/],
  ["on a full disk", failing("SQLITE_FULL"), "disk-full", /is full/, /space/],
  ["damaged", failing("SQLITE_CORRUPT"), "store-corrupt", /is damaged/, /doctor --fix/],
])("a store that is %s says so, and what to do", (_, error, code, message, hint) => {
  const explained = explainSqlite(error, "/home/me/ao.db");
  expect(explained).toMatchObject({ code, cause: error });
  expect(explained.message).toMatch(message);
  expect(explained.message).toContain("/home/me/ao.db");
  expect(explained.hint).toMatch(hint);
});
