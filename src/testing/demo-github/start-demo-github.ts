import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startFakeGithub } from "../fake-github/fake-github.ts";
import type { FakeRepository } from "../fake-github/scripts.ts";
import { CHECK, startCi } from "./ci.ts";

/** The URL of the demo's GitHub and its accounts; `src/demo/forge.ts` reads it. */
export interface DemoGithub {
  readonly url: string;
  readonly repository: string;
  /** The token of the account with which `ao` pushes and opens pull requests. */
  readonly token: string;
  /** The token of the reviewing account. */
  readonly reviewerToken: string;
  close(): Promise<void>;
}

/** As in `src/demo/story.ts`. */
const REVIEWER = "demo-reviewer";

/** Starts a local GitHub with an empty, protected repository, the demo's issues, and a CI service. */
export async function startDemoGithub(issues: string): Promise<DemoGithub> {
  const folder = mkdtempSync(join(tmpdir(), "ao-demo-github-"));
  const github = await startFakeGithub({ folder });
  const there = github.createRepository("octo/garden");
  there.protect("main", { approvals: 1, checks: [CHECK] });
  openIssues(there, issues);
  const ci = await startCi(there, join(folder, "ci"));
  return {
    url: github.url,
    repository: there.fullName,
    token: github.token,
    reviewerToken: github.createToken(REVIEWER),
    close: async () => {
      await ci.close();
      await github.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Opens the issues in numeric order, so that each has the same number on GitHub. */
function openIssues(there: FakeRepository, folder: string): void {
  for (const name of readdirSync(folder).sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))) {
    const [, head = "", body = ""] =
      /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(join(folder, name), "utf8")) ?? [];
    const title = /^title: (.*)$/m.exec(head)?.[1] ?? name;
    const labels = /^labels: \[(.*)\]$/m.exec(head)?.[1]?.split(", ") ?? [];
    there.openIssue({ title, body: body.trim(), labels, by: "keeper" });
  }
}
