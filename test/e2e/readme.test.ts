import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseConfig } from "../../src/config/parse.ts";
import { git, makeRepo } from "../../src/testing/git-repo.ts";
import { makePlace, root, run } from "./cli/shell.ts";

const readme = readFileSync(join(root, "README.md"), "utf8");

function blocks(language: string): readonly string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(
    ([, text]) => text ?? "",
  );
}

function commandsOf(block: string): readonly string[] {
  return block
    .split("\n")
    .map((line) => line.replace(/ {2,}#.*$/, "").trim())
    .filter((line) => line !== "");
}

const [newcomer = "", own = ""] = blocks("sh");

describe("the README", () => {
  it("has the two commands for newcomers, which CI and the demo's test run", () => {
    expect(commandsOf(newcomer)).toEqual(["npm start -- --exit", "npm test"]);
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
    expect(scripts).toMatchObject({ start: "node scripts/start.mjs", test: "node scripts/test.mjs" });
    expect(readFileSync(join(root, ".ci/run"), "utf8")).toContain("npm test");
    expect(readFileSync(join(root, "test/e2e/demo/demo.long.test.ts"), "utf8")).toContain("--exit");
  });

  it("shows a picture that a script made from a real run", () => {
    const picture = /!\[[^\]]+\]\(([^)]+\.svg)\)/.exec(readme)?.[1] ?? "";
    const drawn = readFileSync(join(root, picture), "utf8");
    expect(drawn).toContain("Made by scripts/picture.mjs");
    expect(drawn).toMatch(/7 merged in \d+ s/);
    expect(JSON.parse(readFileSync(join(root, "package.json"), "utf8"))).toMatchObject({
      scripts: { picture: "node scripts/picture.mjs" },
    });
  });

  it("has configuration that is valid and implemented", () => {
    for (const block of blocks("yaml")) {
      expect(parse(block)).toBeTruthy();
      expect(parseConfig(`${block}\nprojects: { app: { path: . } }\n`, "README.md", { env: {} }).written).toBeTruthy();
    }
  });

  it("links only to pages that exist", () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, link]) => link ?? "");
    expect(links.filter((link) => !existsSync(join(root, link)))).toEqual([]);
  });

  it("guides a first session on your own repository, command by command", async () => {
    const { dir, env } = makePlace();
    const home = join(dir, "home");
    const prefix = join(dir, "npm");
    const bin = join(dir, "bin");
    mkdirSync(bin);
    symlinkSync(join(root, "test/fixtures/bin/my-agent.sh"), join(bin, "my-agent"));
    const repo = makeRepo(join(home, "code/my-app"), { "login.txt": "log in\n" });
    const path = `${join(prefix, "bin")}:${bin}:${env["PATH"]}`;
    const shellEnv = {
      ...env,
      PATH: path,
      CI: "true",
      npm_config_prefix: prefix,
      npm_config_ignore_scripts: "true",
      TERM: "xterm",
    };
    let cwd = root;
    // This machine has no agent on PATH, so the person types what the README says for that case.
    const anyProgram = /`(ao config set [^`]+)`/.exec(readme)?.[1] ?? "";
    for (const command of commandsOf(own).flatMap((line) => (line === "ao start" ? [line, anyProgram] : [line]))) {
      // On a terminal, as a person does: there the output has colors, and control characters are written out.
      const typed = await run("script", ["-qefc", `${command} && pwd > "${dir}/pwd"`, "/dev/null"], {
        cwd,
        env: shellEnv,
      });
      expect(typed, command).toMatchObject({ code: 0, out: expect.not.stringMatching(/\\x[01]|\\x7f|\\u/) });
      cwd = readFileSync(join(dir, "pwd"), "utf8").trim();
    }
    expect(cwd).toBe(repo);
    expect(git(repo, "log", "--format=%s", "-1", "main")).toBe("Fix the login form (#1)\n");
    const lines = readFileSync(join(repo, "login.txt"), "utf8");
    expect(lines).toMatch(
      /^log in\n.*Fix the login form.*\n.*Use the new API.*\n.*Say why it failed[\s\S]*This is not enough/,
    );
    expect(git(repo, "status", "--porcelain")).toBe("");
    expect(git(repo, "worktree", "list").trim().split("\n")).toHaveLength(1);
  });
});
