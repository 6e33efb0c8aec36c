import { lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { isFull } from "../../src/testing/full.ts";
import { hasBubblewrap, note } from "../e2e/sandbox/stage.ts";
import { makeMachine, snapshot } from "./agent-home.ts";

const TOKEN = '{"token":"user-1234567"}';
const login = (token: string): string => JSON.stringify({ claudeAiOauth: { refreshToken: `${token}-1234567` } });

/** What a hostile agent may put in place of its copy. */
const HOSTILE: readonly (readonly [string, string])[] = [
  ["a link to a secret", "ln -sfn $HOME/secret.json .credentials.json"],
  ["a link to a file of ao", "ln -sfn $AO/token .credentials.json"],
  ["a link in place of the folder", "cd ..; mv .claude gone; ln -sfn $HOME .claude"],
  ["a FIFO", "rm .credentials.json; mkfifo .credentials.json"],
  ["a gigabyte", "truncate -s 1G .credentials.json"],
  ["a folder", "rm .credentials.json; mkdir -p .credentials.json/.credentials.json"],
  [
    "a socket",
    "rm .credentials.json; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\".credentials.json\")'",
  ],
  ["nothing", "rm .credentials.json"],
  ["an empty file", ": >.credentials.json"],
  ["no login", "echo '{}' >.credentials.json"],
  ["a script", "printf '#!/bin/sh\\nevil\\n' >.credentials.json; chmod +x .credentials.json"],
  ["other fields", `echo '{"env":{"PATH":"/tmp/evil/bin"},"pluginSecrets":{"a":"evil-evil"}}' >.credentials.json`],
  ["another name", `echo '${login("evil")}' >settings.json; cp settings.json ../.credentials.json`],
];

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

describe.skipIf(!hasBubblewrap)(`a login in a sandbox${note}`, () => {
  const scene = () => {
    const machine = makeMachine("claude-code");
    const file = join(machine.user, ".claude/.credentials.json");
    put(file, login("user"));
    const inside = async (id: string, script: string): Promise<string> =>
      machine.run(id, `cd '${dirname(file)}'; ${script}`);
    return { machine, file, inside, own: () => readFileSync(file, "utf8") };
  };

  it("that is replaced by a rename reaches the user and the next session, and the user's the sessions", async () => {
    const { machine, file, inside, own } = scene();
    await inside("a", `printf %s '${login("refreshed")}' >new && mv new .credentials.json`);
    await machine.compare();
    expect(JSON.parse(own())).toMatchObject(JSON.parse(login("refreshed")) as object);
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await inside("b", "cat .credentials.json"))).toEqual(JSON.parse(own()));
    writeFileSync(file, login("own"));
    await machine.compare();
    for (const id of ["a", "b"]) expect(await inside(id, "cat .credentials.json")).toBe(login("own"));
  });

  // `npm run attack` counts each.
  const tried = isFull
    ? HOSTILE.map((one) => ({ what: one[0], attempts: [one] }))
    : [{ what: "anything else", attempts: HOSTILE }];
  it.each(tried)(
    "that is replaced by $what changes nothing outside, and does not stop the others",
    async ({ attempts }) => {
      const { machine, file, inside, own } = scene();
      put(join(machine.user, "secret.json"), TOKEN);
      put(join(machine.aoHome, "token"), TOKEN);
      const before = snapshot(machine.user);
      for (const [name, script] of attempts) {
        await inside("a", `AO='${machine.aoHome}'; ${script}`);
        await machine.compare();
        expect(snapshot(machine.user), name).toEqual(before);
      }
      expect(await inside("b", "cat .credentials.json")).toBe(own());
      writeFileSync(file, login("later"));
      await machine.compare();
      expect(await inside("b", "cat .credentials.json")).toBe(login("later"));
      await machine.end("a");
      expect(own()).toBe(login("later"));
    },
  );

  it("of OpenCode brings no server whose configuration the user's program would load", async () => {
    const machine = makeMachine("opencode");
    const file = join(machine.user, ".local/share/opencode/auth.json");
    const evil = { "https://evil.example": { type: "wellknown", key: "PATH", token: "/tmp/evil/bin" } };
    const good = { anthropic: { type: "oauth", access: "a-1234567", refresh: "r-1234567", expires: 1 } };
    const write = `printf %s '${JSON.stringify({ ...evil, ...good })}' >${file}`;
    await machine.run("a", write);
    await machine.compare();
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(good);
  });

  it("of Qwen Code brings no other address of the model", async () => {
    const machine = makeMachine("qwen");
    const file = join(machine.user, ".qwen/oauth_creds.json");
    const login = { access_token: "a-1234567", refresh_token: "r-1234567" };
    put(file, JSON.stringify({ ...login, resource_url: "portal.qwen.ai" }));
    const evil = { ...login, access_token: "a-2345678", resource_url: "evil.example" };
    await machine.run("a", `printf %s '${JSON.stringify(evil)}' >${file}`);
    await machine.compare();
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ ...evil, resource_url: "portal.qwen.ai" });
  });
});
