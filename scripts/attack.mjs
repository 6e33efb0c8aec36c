// `npm run attack`: tries to break what docs/security.md promises, and prints how many attempts of each kind were made and blocked;
// `--all` lists every attempt. An attempt is a test; `npm test` runs some of them.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { bin, build, ensurePackages, ensurePrograms } from "./lib.mjs";

const KINDS = ["worktree", "clone", "sparse", "submodule", "worktreeConfig"];

/** Who tries what, the tests that try it, and the part of a title that selects them; default: all. */
const GROUPS = [
  ["agent in a sandbox: ways out", ["test/attack/sandbox-git.long.test.ts", "test/attack/sandbox-processes.test.ts"]],
  ...KINDS.map((kind) => [
    `agent in a sandbox: ways out, ${kind}`,
    ["test/attack/sandbox-kinds.long.test.ts"],
    `of the kind '${kind}'`,
  ]),
  [
    "agent in a sandbox: the object store, refs and history",
    [
      "test/attack/sandbox-objects.long.test.ts",
      "src/plugins/workspace/clone/hostile.test.ts",
      "src/plugins/workspace/worktree/user-git.long.test.ts",
      "src/plugins/workspace/worktree/own-crash.long.test.ts",
    ],
  ],
  [
    "agent in a sandbox: checks of its commits",
    ["test/attack/sandbox-checks.test.ts", "test/attack/sandbox-project-commands.test.ts"],
  ],
  [
    "agent in a sandbox: the folders and logins of its program",
    [
      "test/attack/sandbox-home.long.test.ts",
      "test/attack/sandbox-logins.test.ts",
      "test/agents/home-folders.long.test.ts",
    ],
  ],
  ["agent in a sandbox: hosts that are not listed", ["test/attack/sandbox-network.test.ts", "src/gate/proxy.test.ts"]],
  ["agent, server: HTTP that ends the proxy", ["src/gate/hostile.test.ts", "src/gate/addresses.test.ts"]],
  [
    "stranger: words that steer an agent",
    [
      "test/attack/sandbox-untrusted.test.ts",
      "src/engine/foreign-words.test.ts",
      "src/core/reaction/mark.test.ts",
      "src/core/reaction/template.test.ts",
    ],
  ],
  ["commit: a configuration by merge, pull or clone", ["test/attack/config-brought.long.test.ts"]],
  ["commit: files that decide what runs later", ["test/e2e/cli/held-files.test.ts"]],
  ["commit: files that .worktreeinclude copies", ["test/attack/copied-files.test.ts"]],
  ["agent: another content under an approved name", ["src/plugins/scm/local/merge.test.ts"]],
  [
    "agent: programs by git's settings and hooks",
    [
      "test/attack/git-programs.test.ts",
      "src/providers/git/git.test.ts",
      "src/providers/git/programs.test.ts",
      "test/e2e/cli/errors-daemon.long.test.ts",
    ],
  ],
  ["agent: files, links and refs in git's folders", ["test/attack/git-files.test.ts"]],
  [
    "anyone: names, refs and paths as options",
    ["test/attack/options.test.ts", "src/providers/git/branch-name.test.ts"],
  ],
  ["agent: text that steers a terminal", ["test/e2e/cli/hostile-text.test.ts", "src/cli/views/terminal-text.test.ts"]],
  ["anyone: text that ends its block or hides", ["test/attack/fences.test.ts", "src/core/hidden-characters.test.ts"]],
  [
    "anyone: issues, titles and comments for an agent",
    ["test/attack/strangers-issue.test.ts", "src/core/task/issue-author.test.ts", "src/core/change/trust.test.ts"],
  ],
  ["agent: variables and secrets of the daemon", ["src/core/environment.test.ts", "test/attack/canaries.test.ts"]],
  [
    "anyone: titles, labels and paths that keep a rule busy",
    [
      "test/attack/slow-patterns.test.ts",
      "src/core/expression/bounded-expression.test.ts",
      "src/core/glob/glob.test.ts",
    ],
  ],
  ["network: webhook deliveries", ["test/attack/webhooks.test.ts"]],
  ["agent: output floods", ["test/attack/output-floods.test.ts", "src/server/transcript/long-output.test.ts"]],
  ["network, pages, other agents: every call", ["test/attack/calls.test.ts"]],
  ["network, pages, other agents: HTTP and sockets", ["test/attack/http.test.ts"]],
  ["other users: files and sockets", ["test/e2e/cli/private-home.test.ts", "src/cli/client/deliver.test.ts"]],
  ["hook in code: no verdict, or a forged one", ["src/hook-runner/main.test.ts", "test/e2e/hooks.test.ts"]],
  [
    "agent: your branches, worktrees and repository",
    [
      "src/core/project/decide-repository.test.ts",
      "src/engine/observe-repositories.test.ts",
      "src/core/session/decide-observation.test.ts",
      "src/plugins/workspace/worktree/restore.long.test.ts",
      "test/e2e/cli/moved-repository.test.ts",
    ],
  ],
  [
    "anyone: names, titles and keys that the API refuses",
    [
      "src/core/session/decide-command.test.ts",
      "src/protocol/bodies/pull-request.test.ts",
      "src/engine/loop.test.ts",
      "test/architecture.test.ts",
    ],
  ],
  [
    "agent: a full disk, endless output, hanging commands",
    [
      "src/engine/bound-output.test.ts",
      "src/engine/executors/send-message.test.ts",
      "test/e2e/survival/full-disk.test.ts",
      "test/e2e/cli/stop-hanging.test.ts",
    ],
  ],
  [
    "clock, power and store: jumps, crashes, damage",
    [
      "src/engine/clock-jumps.test.ts",
      "src/platform/clock.test.ts",
      "src/engine/crash.test.ts",
      "test/e2e/cli/errors-store.long.test.ts",
    ],
  ],
];
const OUTCOMES = { passed: "held", failed: "BROKEN" };

ensurePackages();
ensurePrograms({ bubblewrap: ["bwrap", ["--version"]] });
build();
const rows = runTests();
if (process.argv.includes("--all")) {
  for (const { area, attempt, outcome } of rows) console.log(`${outcome.padEnd(9)}${area}: ${attempt}`);
}
const total = printTable();
for (const { area, attempt, reason } of rows.filter(({ outcome }) => outcome === "BROKEN")) {
  console.log(`BROKEN   ${area}: ${attempt}\n         ${reason}`);
}
process.exit(total.broken === 0 && total.held > 0 ? 0 : 1);

function runTests() {
  const folder = mkdtempSync(join(tmpdir(), "ao-attack-"));
  const report = join(folder, "report.json");
  const files = [...new Set(GROUPS.flatMap(([, names]) => names))];
  spawnSync(bin("vitest"), ["run", ...files, "--reporter=json", `--outputFile=${report}`], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, AO_TEST_FULL: "1" },
  });
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  rmSync(folder, { recursive: true });
  return testResults.flatMap(readRows);
}

function readRows({ name, assertionResults, message }) {
  const file = relative(".", name);
  // A file that could not be loaded has no attempts, which must not look like success.
  if (assertionResults.length === 0) return [{ file, area: file, attempt: message, reason: "", outcome: "BROKEN" }];
  return assertionResults.map(({ ancestorTitles, title, status, failureMessages = [] }) => ({
    file,
    reason: failureMessages.join(" ").slice(0, 500),
    area: ancestorTitles.join(" ") || file,
    attempt: title,
    outcome: OUTCOMES[status] ?? "not tried",
  }));
}

function printTable() {
  const count = (some, wanted) => some.filter(({ outcome }) => outcome === wanted).length;
  const line = (name, some) => {
    const [held, broken] = [count(some, "held"), count(some, "BROKEN")];
    const figures = [held + broken, held, broken, some.length - held - broken];
    console.log(name.padEnd(52) + figures.map((figure) => String(figure).padStart(10)).join(""));
    return { held, broken };
  };
  console.log("".padEnd(52) + ["tried", "held", "broken", "skipped"].map((word) => word.padStart(10)).join(""));
  for (const [name, files, title = ""] of GROUPS)
    line(
      name,
      rows.filter(({ file, area }) => files.includes(file) && area.endsWith(title)),
    );
  return line("all", rows);
}
