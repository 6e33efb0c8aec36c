import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { hasBubblewrap, note } from "../e2e/sandbox/stage.ts";
import { reach } from "../e2e/survival/session.ts";
import { until } from "../support/until.ts";
import { LIMIT, stage, strike } from "./support/session.ts";
import type { SessionAgent } from "./support/session-agents.ts";

const program = fileURLToPath(new URL("../fixtures/bin/cursor-agent.mjs", import.meta.url));

/** Any agent with a file for its login would do; this one needs no vendor's program. */
const AGENT: SessionAgent = {
  plugin: "cursor",
  title: "a stand-in for Cursor",
  command: [program],
  process: program,
  free: { permissions: "all", sandbox: "bubblewrap" },
  environment: (_, model) => ({ MODEL_URL: model.url, CURSOR_API_KEY: "key-test" }),
  usage: "turns",
};

const login = (token: string): string =>
  JSON.stringify({ accessToken: `${token}-1`, refreshToken: `${token}-12345678` });
const refresh = (token: string): string =>
  `[[run: cd $HOME/.config/cursor && printf '%s' '${login(token)}' >new && mv new auth.json]]`;

async function makeScene() {
  const prepare = (home: string): void => {
    mkdirSync(join(home, ".config/cursor"), { recursive: true });
    writeFileSync(join(home, ".config/cursor/auth.json"), login("user"));
  };
  const scene = await stage(AGENT, { prepare });
  const own = join(scene.home, ".config/cursor/auth.json");
  const copyOf = (id: string): string => {
    const home = join(scene.fleet.home, "sessions", id, "home");
    const [folder = ""] = readdirSync(home).filter((name) => name.startsWith("cursor-"));
    return join(home, folder, "auth.json");
  };
  const isEverywhere = (token: string, ids: readonly string[]): Promise<boolean> =>
    until(`everybody to have ${token}`, () =>
      [own, ...ids.map(copyOf)].every((path) => existsSync(path) && readFileSync(path, "utf8") === login(token)),
    );
  return { ...scene, own, copyOf, isEverywhere };
}

describe.skipIf(!hasBubblewrap)(`the login of sandboxed sessions${note}`, () => {
  it("is the same for the user and two sessions, whoever refreshes it, and survives dead daemons and programs", async () => {
    const { fleet, model, begin, held, own, copyOf, isEverywhere, bridges } = await makeScene();
    const ids = [
      await begin("a", `Go. [[hold: a]] ${refresh("first")} [[say: one]]`),
      await begin("b", "Go. [[say: one]]"),
    ];
    const [a = "", b = ""] = ids;
    await reach(fleet, b, "done", ({ summary }) => summary === "one", LIMIT);
    await held("a");
    await isEverywhere("user", ids);
    model.release("a");
    await isEverywhere("first", ids);
    writeFileSync(`${own}.new`, login("outside"));
    renameSync(`${own}.new`, own);
    await isEverywhere("outside", ids);

    await fleet.write("POST", `/api/sessions/${b}/message`, {
      content: `[[hold: b]] ${refresh("alone")} [[say: two]]`,
    });
    await held("b");
    await fleet.kill();
    model.release("b");
    await until("it to be refreshed", () => readFileSync(copyOf(b), "utf8") === login("alone"));
    expect(readFileSync(own, "utf8")).toBe(login("outside"));
    await strike(bridges);
    await fleet.start();
    await isEverywhere("alone", ids);
    await fleet.write("DELETE", `/api/sessions/${a}`);
    await until("no token to stay behind", () => !existsSync(copyOf(a)));
    expect(readFileSync(own, "utf8")).toBe(login("alone"));
  });

  it("and its conversation are there again after a restore, and nothing of them in the user's home", async () => {
    const { fleet, home, begin, conversations, copyOf } = await makeScene();
    const prompt = "Go. [[run: echo evil >$HOME/.cursor/mcp.json; echo noted >$HOME/.cursor/AGENTS.md]] [[say: one]]";
    const id = await begin("a", prompt);
    await reach(fleet, id, "done", ({ summary }) => summary === "one", LIMIT);
    await fleet.write("DELETE", `/api/sessions/${id}`);
    await reach(fleet, id, "stopped", ({ agentStatus }) => agentStatus === "stopped");
    await fleet.write("POST", `/api/sessions/${id}/restore`, {});
    await fleet.write("POST", `/api/sessions/${id}/message`, { content: "Again. [[say: two]]" });
    await reach(fleet, id, "done again", ({ summary }) => summary === "two", LIMIT);
    expect(new Set(conversations(id, 2)).size).toBe(1);
    expect(readFileSync(copyOf(id), "utf8")).toBe(login("user"));
    expect(readdirSync(join(home, ".cursor"))).toEqual([]);
    expect(readdirSync(join(home, ".config/cursor"))).toEqual(["auth.json"]);
  });
});
