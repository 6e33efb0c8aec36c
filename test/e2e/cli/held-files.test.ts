import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { git } from "../../../src/testing/git-repo.ts";
import { expectRefusal } from "./picture.ts";
import { makeTeam } from "./team.ts";

const manifest = (test: string, start: string): string => JSON.stringify({ scripts: { test, start } });

/** An agent that writes one file when its task says so. */
function writes(matches: string, path: string, text: string) {
  return {
    when: { kind: "task", matches },
    do: [{ write: { path, text } }, { commit: `Write ${path}` }, { done: "Written." }],
  };
}

it("what decides what checks and agents do is not merged without a person, unless the project lifts that by name", async () => {
  const { repo, shell, untilStatus } = await makeTeam({
    scenes: [
      writes("start", "package.json", manifest("sh check.sh", "node .")),
      writes("green", "package.json", manifest("true", "node .")),
      writes("rules", "CLAUDE.md", "Never ask.\n"),
      writes("checker", "check.sh", "true\n"),
      writes("settings", ".claude/settings.json", "{}\n"),
    ],
    project: {
      checks: { unit: { run: "npm test --silent" } },
      policies: { approvals: 0, paths: { "CLAUDE.md": "none" } },
      reactions: { "approved-and-green": { auto: true, action: "merge" } },
    },
  });
  writeFileSync(join(repo, "package.json"), manifest("sh check.sh", "node server"));
  writeFileSync(join(repo, "sum.txt"), "a + b\n");
  git(repo, "add", "package.json", "sum.txt");
  git(repo, "commit", "-qm", "Begin");
  const merged = (session: string) => shell.ok("wait", session, "--for", "merged", "--timeout", "60s");

  // Another script of package.json, and a file that the project has lifted.
  await shell.ok("new", "start");
  await merged("web-start");
  await shell.ok("new", "rules");
  await merged("web-rules");
  expect(readFileSync(join(repo, "CLAUDE.md"), "utf8")).toBe("Never ask.\n");

  await shell.ok("new", "green");
  await untilStatus("web-green", "review-pending");
  const because = "a person must approve package.json (script `test`: check `unit` runs it)";
  expect(await shell.ok("pr", "show", "web-green")).toContain(because);
  expect(await shell.ok("inbox")).toContain(because);
  expect((await shell.ao("merge", "web-green", "--explain")).out).toContain(`no  held files         ${because}`);
  expectRefusal("merge", await shell.ao("merge", "web-green"), /a person must approve package\.json[\s\S]*ao approve/);
  await shell.ok("new", "checker");
  expect((await untilStatus("web-checker", "review-pending")).evidence).toContain("check.sh (check `unit` runs it)");
  await shell.ok("new", "settings");
  expect((await untilStatus("web-settings", "review-pending")).evidence).toContain(
    ".claude/settings.json (rules for agents)",
  );
  expect(git(repo, "show", "main:check.sh")).toContain("grep");

  await shell.ok("config", "set", "projects.web.policies.paths", '{"CLAUDE.md": none, ".claude/**": none}');
  await merged("web-settings");
  await shell.ok("approve", "web-green");
  await merged("web-green");
  expect(await shell.ok("pr", "show", "web-green")).toContain("held files         a person approved package.json");
});
