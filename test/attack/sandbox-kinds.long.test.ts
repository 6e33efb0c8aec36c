import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFull } from "../../src/testing/full.ts";
import { git } from "../../src/testing/git-repo.ts";
import { diskFolder, removeFolder } from "../../src/testing/temp.ts";
import { begin, hasBubblewrap, note, run, shellAgent } from "../e2e/sandbox/stage.ts";
import { ao } from "../e2e/survival/ao.ts";
import { reach } from "../e2e/survival/session.ts";
import { processesOf, shareFleet } from "../support/fleet.ts";
import { KINDS, type RepositoryKind } from "./repository-kinds.ts";
import { type Outside, WAYS_OUT } from "./ways-out.ts";

// `npm run attack` and the full run try every kind.
const TRIED = isFull ? KINDS : KINDS.slice(0, 1);

describe.skipIf(!hasBubblewrap).each(TRIED)(`an agent in a sandbox, repository of the kind $name${note}`, (kind) => {
  const user = mkdtempSync(join(diskFolder(), "ao-user-"));
  const evidence = join(user, "../", `${kind.name}-evidence`);
  const fleet = shareFleet({
    agentConfig: { command: [shellAgent], sandbox: "bubblewrap" },
    files: { "a.txt": "a\n", "left-out": "x\n" },
    project: { env: { HOME: user }, ...kind.project },
    prepare: (repo) => kind.prepare?.(repo),
  });
  let id = "";
  beforeAll(async () => {
    mkdirSync(user, { recursive: true });
    writeFileSync(join(user, ".bashrc"), "mine\n");
    await begin(fleet(), "bystander");
    ({ id } = await begin(fleet(), "escape"));
    await run(fleet(), id, `printf '#!/bin/sh\\nenv > ${evidence}\\ncat\\n' > evil.sh; chmod +x evil.sh`);
  });
  afterAll(() => removeFolder(user));

  it.skipIf(!isFull).each(WAYS_OUT)("gets nowhere with %s", async (_name, command) => {
    await attempt(command);
    await provoke(kind);
    expect(damages()).toEqual([]);
  });

  it("gets nowhere with all of them together while sessions start, stop and are restored and the user keeps working", async () => {
    const { repo } = fleet();
    if (!isFull) for (const [, command] of WAYS_OUT) await attempt(command);
    await begin(fleet(), "another");
    git(repo, "commit", "-q", "--allow-empty", "-m", "the user goes on");
    await ao(fleet(), "stop", id);
    await provoke(kind);
    expect(processesOf(fleet().home).length).toBeGreaterThan(0);
    await fleet().write("POST", `/api/sessions/${id}/restore`, {});
    await reach(
      fleet(),
      id,
      "back or refused",
      ({ run: { state }, workspace }) => state === "alive" || workspace.reason !== null,
    );
    await provoke(kind);
    expect(damages()).toEqual([]);
  });

  async function attempt(command: (outside: Outside) => string): Promise<void> {
    const { repo, home } = fleet();
    const said = await run(fleet(), id, command({ repo, home, user, daemonPid: fleet().daemonPid() }));
    expect(said).not.toContain(tokenOf(home));
  }

  /** Everything that makes `ao` run git in the agent's workspace, and then the user's own git in the main checkout. */
  async function provoke({ name }: RepositoryKind): Promise<void> {
    const { repo } = fleet();
    const { body } = await fleet().api("GET", `/api/sessions/${id}/diff`);
    expect(JSON.stringify(body)).not.toContain(tokenOf(fleet().home));
    git(repo, "status");
    git(repo, "log", "-1", "-p");
    if (name === "submodule") git(repo, "submodule", "status");
  }

  /** What the agent has reached outside. */
  function damages(): readonly string[] {
    const { repo } = fleet();
    const made = [evidence, join(user, "evil.txt"), join(repo, "evil.txt"), "/etc/evil", "/usr/evil", "/var/evil"];
    return [
      ...made.filter(existsSync),
      ...(readFileSync(join(user, ".bashrc"), "utf8") === "mine\n" ? [] : ["the user's .bashrc"]),
      ...(git(repo, "status", "--porcelain") === "" ? [] : ["the user's checkout"]),
      ...(fleet().isUp() ? [] : ["the daemon"]),
    ];
  }
});

function tokenOf(home: string): string {
  return readFileSync(join(home, "token"), "utf8").trim();
}
