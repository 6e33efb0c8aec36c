import { dirname } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { AgentFolder } from "../../../ports/agent.ts";
import type { Host, HostFs } from "../../../ports/host.ts";
import { homePaths } from "../../../protocol/home.ts";
import { aSession } from "../../../testing/builders.ts";
import { createMemoryFs } from "../../../testing/fakes/memory-fs.ts";
import { createLogins } from "./logins.ts";
import { dropHome, type OpenHome, openHome } from "./open-home.ts";

const FOLDER: AgentFolder = {
  path: "/u/.x",
  logins: [{ name: "auth.json" }],
  conversations: ["talks", "state_*"],
  omitted: ["log"],
  adopted: { "x.json": "/u/.x.json" },
};
const NESTED: AgentFolder = { path: "/u/.x/logins", logins: [{ name: "x.json" }] };
const SESSION = aSession({ id: "s", createdAt: 5000, run: { n: 1 } });

let now: number;
let fs: HostFs;
let open: (run?: number) => Promise<OpenHome>;
let drop: () => Promise<void>;
let home: OpenHome;

const write = async (path: string, text: string): Promise<void> => {
  now += 10;
  await fs.makeDir(dirname(path));
  await fs.writeText(path, text);
};
/** The session's copy of a path in the folder. */
const copy = (name: string): string => `${home.rules.find(({ path }) => path === "/u/.x")?.from}/${name}`;
const inside = (name: string): Promise<string | null> => fs.readText(copy(name));

beforeEach(async () => {
  now = 1000;
  fs = createMemoryFs(() => now);
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const host = { fs, clock: { now: () => now }, log: silent } as unknown as Host;
  const paths = homePaths({ env: { AO_HOME: "/ao" }, userHome: "/u", uid: 0, cwd: "/" });
  const logins = createLogins(host, paths);
  const agent = { footprint: () => ({ folders: [FOLDER, NESTED], environment: { X: "1" }, network: true }) };
  const sources = { host, paths, logins, agent, environment: { HOME: "/u" } };
  open = (n = 1) => openHome({ ...SESSION, run: { ...SESSION.run, n } }, sources);
  drop = () => dropHome(sources, "s");
  await write("/u/.x.json", "servers");
  for (const name of ["settings", "skills/one", "auth.json", "talks/old", "log/1", "state_1", "a.db"]) {
    await write(`/u/.x/${name}`, `"the user's ${name}"`);
  }
});

describe("a session's copies of its program's folders", () => {
  it("have the user's settings and login, and nothing of other conversations", async () => {
    home = await open();
    expect(home.environment).toEqual({ X: "1" });
    expect(home.rules).toEqual([
      { path: "/u/.x", as: "write", from: expect.stringMatching(/^\/ao\/sessions\/s\/home\/.x-/) },
      { path: "/u/.x/logins", as: "write", from: expect.stringMatching(/^\/ao\/sessions\/s\/home\/logins-/) },
    ]);
    expect(await fs.list(dirname(copy("x")))).toEqual(["auth.json", "logins", "settings", "skills", "x.json"]);
    expect([await inside("skills/one"), await inside("x.json")]).toEqual([`"the user's skills/one"`, "servers"]);
  });

  it("start each run with what the user has then, and keep what only the session has", async () => {
    home = await open();
    for (const name of ["settings", "skills/two", "x.json", "notes"]) await write(copy(name), "the session's");
    await write("/u/.x/more", "the user's more");
    await open(2);
    expect([await inside("settings"), await inside("x.json")]).toEqual([`"the user's settings"`, "servers"]);
    expect([await inside("skills/two"), await inside("more")]).toEqual([null, "the user's more"]);
    await fs.remove("/u/.x/skills");
    await open(3);
    expect([await inside("skills/one"), await inside("notes")]).toEqual([null, "the session's"]);
  });

  it("show what is too large to copy read-only, over nothing that the session put there", async () => {
    await write("/u/.x/plugins/large", "x".repeat(9 * 1024 * 1024));
    const shown = { path: "/u/.x/plugins", as: "read", from: "/u/.x/plugins" };
    home = await open();
    expect(home.rules).toContainEqual(shown);
    await fs.remove(copy("plugins"));
    await fs.makeLink("/u", copy("plugins"));
    expect((await open(2)).rules).toContainEqual(shown);
    expect((await fs.stat(copy("plugins")))?.kind).toBe("directory");
    await write("/u/.x/plugins/large", "small now");
    expect((await open(3)).rules).not.toContainEqual(shown);
    expect(await inside("plugins/large")).toBe("small now");
  });

  it("end with the workspace, except the conversations", async () => {
    home = await open();
    await write(copy("talks/mine"), "said");
    await write(copy("state_2"), "said");
    await drop();
    expect(await fs.list(dirname(copy("x")))).toEqual(["state_2", "talks"]);
    await open(2);
    expect([await inside("talks/mine"), await inside("settings")]).toEqual(["said", `"the user's settings"`]);
  });

  it("have the conversation of a session that an older version kept in the user's folder", async () => {
    now = 5000;
    await write("/u/.x/talks/deep/mine", "said");
    home = await open(2);
    expect([await inside("talks/deep/mine"), await inside("talks/old")]).toEqual(["said", null]);
    await write("/u/.x/talks/deep/mine", "changed by somebody else");
    await open(3);
    expect(await inside("talks/deep/mine")).toBe("said");
  });
});
