import { dirname } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { LoginFile } from "../../../core/login/login-file.ts";
import type { Host, HostFs } from "../../../ports/host.ts";
import { homePaths } from "../../../protocol/home.ts";
import { createMemoryFs } from "../../../testing/fakes/memory-fs.ts";
import { createLogins, type Logins } from "./logins.ts";

const PATHS = homePaths({ env: { AO_HOME: "/ao" }, userHome: "/u", uid: 0, cwd: "/" });
const USER = "/u/.x/auth.json";
const RULE: LoginFile = { name: "auth.json", fields: ["token"] };
const A = "/ao/sessions/a/home/x/auth.json";
const B = "/ao/sessions/b/home/x/auth.json";

let now: number;
let fs: HostFs;
let running: Set<string>;
let logins: Logins;
let broken: string | null;

const login = (token: string): string => `{"token":"${token}-12345678"}`;
const write = async (path: string, text: string): Promise<void> => {
  now += 10;
  await fs.makeDir(dirname(path));
  await fs.writeText(path, text);
};
const texts = async (): Promise<readonly (string | null)[]> =>
  Promise.all([USER, A, B].map((path) => fs.readText(path)));
const all = (text: string | null): readonly (string | null)[] => [text, text, text];
const round = (): Promise<void> => {
  now += 10;
  return logins.round((id) => running.has(id));
};

/** A daemon: what it knows is only what is on disk. */
function startDaemon(): Logins {
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const writeText: HostFs["writeText"] = async (path, ...rest) => {
    if (path === broken) throw new Error("ENOSPC");
    await fs.writeText(path, ...rest);
  };
  const host = { fs: { ...fs, writeText }, clock: { now: () => now }, log: silent } as unknown as Host;
  return createLogins(host, PATHS);
}

async function share(id: string, copy: string): Promise<void> {
  await fs.makeDir(dirname(copy));
  await logins.share(id, [{ user: USER, copy, rule: RULE }]);
  running.add(id);
}

describe("logins of two sandboxed sessions", () => {
  beforeEach(async () => {
    now = 1000;
    fs = createMemoryFs(() => now);
    running = new Set();
    broken = null;
    logins = startDaemon();
    await write(USER, login("first"));
    await share("a", A);
    await share("b", B);
    await round();
  });

  it("begin with the user's", async () => {
    expect(await texts()).toEqual(all(login("first")));
  });

  it("are everybody's once one session refreshed", async () => {
    await write(A, login("refreshed"));
    await round();
    expect(await texts()).toEqual(all(login("refreshed")));
    expect((await fs.stat(USER))?.mode).toBe(0o600);
  });

  it("are those of the user's own refresh", async () => {
    await write(USER, login("own"));
    await round();
    expect(await texts()).toEqual(all(login("own")));
  });

  it("converge on the later of two at once, whichever session it is", async () => {
    await write(B, login("one"));
    await write(A, login("two"));
    await round();
    expect(await texts()).toEqual(all(login("two")));
    await write(A, login("three"));
    await write(B, login("four"));
    await round();
    expect(await texts()).toEqual(all(login("four")));
  });

  it("go on from what was refreshed while no daemon ran, and a session that ended meanwhile keeps none", async () => {
    await write(B, login("meanwhile"));
    running.delete("b");
    logins = startDaemon();
    await round();
    expect(await texts()).toEqual([login("meanwhile"), login("meanwhile"), null]);
  });

  it("survive that the user's program failed with the old one and emptied its file", async () => {
    await write(B, login("meanwhile"));
    await write(USER, "{}");
    logins = startDaemon();
    await round();
    expect(await texts()).toEqual(all(login("meanwhile")));
  });

  it("are taken over at the end of a session, and leave nothing behind", async () => {
    await write(A, login("last"));
    await logins.collect("a");
    expect(await texts()).toEqual([login("last"), null, login("last")]);
    expect(await fs.list("/ao/sessions/a/home")).toEqual(["x"]);
  });

  it("are given to a session whose program has yet to start, and taken back if it never does", async () => {
    running.delete("a");
    await share("a", A);
    running.delete("a");
    await round();
    expect(await fs.readText(A)).toBe(login("first"));
    now += 200_000;
    await round();
    expect(await fs.readText(A)).toBeNull();
  });

  it("end everywhere when the user logs out, and one inside stays inside", async () => {
    await fs.remove(A);
    await round();
    expect(await texts()).toEqual([login("first"), null, login("first")]);
    await fs.remove(USER);
    await round();
    expect(await texts()).toEqual(all(null));
    await write(A, login("again"));
    await round();
    expect(await texts()).toEqual(all(login("again")));
  });

  it("keep what others do not get in the copy that has it", async () => {
    await write(A, '{"token":"refreshed-12345678","server":"https://evil.example"}');
    await round();
    await round();
    const refreshed = '{\n  "token": "refreshed-12345678"\n}\n';
    expect(await texts()).toEqual([refreshed, expect.stringContaining("evil.example"), refreshed]);
  });

  it("are not lost when the user's disk is full", async () => {
    broken = USER;
    await write(A, login("refreshed"));
    running.delete("a");
    await round();
    expect(await texts()).toEqual([login("first"), login("refreshed"), login("first")]);
    broken = null;
    await round();
    expect(await texts()).toEqual([login("refreshed"), null, login("refreshed")]);
  });

  it("reach the others although one session's copy cannot be written, and that one later", async () => {
    broken = B;
    await write(A, login("refreshed"));
    await round();
    expect(await texts()).toEqual([login("refreshed"), login("refreshed"), login("first")]);
    broken = null;
    await round();
    expect(await texts()).toEqual(all(login("refreshed")));
  });
});
