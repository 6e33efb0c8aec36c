import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take long, the longest first. Where vitest knows no times, as in a fresh clone, it begins with large files. */
const LONG = [
  "test/e2e/first-hour/",
  "test/browser/accessibility.test.ts",
  "test/chaos/",
  "test/e2e/demo/",
  "test/e2e/docs/",
  "test/e2e/cli/send.test.ts",
  "test/e2e/cli/pack.test.ts",
  "test/agents/claude-",
  "test/agents/states.test.ts",
  "test/agents/session",
  "test/agents/acp-",
  "src/plugins/scm/local/local.test.ts",
  "src/plugins/workspace/clone/",
  "test/e2e/cli/errors",
  "test/e2e/survival/",
  "src/plugins/workspace/worktree/loss.test.ts",
];

/** The place of a file in that list, or behind it. */
function rankOf({ moduleId }: TestSpecification): number {
  const found = LONG.findIndex((part) => moduleId.includes(part));
  return found === -1 ? LONG.length : found;
}

/** Begins with the files that take longest, so that none of them is left alone at the end. A class because vitest makes one itself. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
