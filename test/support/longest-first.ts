import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take long although they are small. Where vitest knows no times, as in a fresh clone, it begins with large files. */
const LONG = [
  "test/chaos/",
  "test/agents/session",
  "test/agents/states.test.ts",
  "test/agents/claude-deaths.test.ts",
  "test/e2e/demo/",
  "test/e2e/docs/",
  "test/e2e/cli/pack.test.ts",
  "test/e2e/survival/many.test.ts",
  "src/plugins/workspace/clone/loss.test.ts",
  "src/plugins/workspace/worktree/loss.test.ts",
];

/** Begins with the files that take longest, so that none of them is left alone at the end. A class because vitest makes one itself. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.some((part) => moduleId.includes(part));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
