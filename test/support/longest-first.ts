import { BaseSequencer, type TestSpecification } from "vitest/node";
import { isFull } from "../../src/testing/full.ts";

/** Slow files, the slowest first. Without recorded times, as in a fresh clone, vitest starts with large files. */
const LONG = [
  "test/browser/accessibility.long.test.ts",
  "test/e2e/bench.long.test.ts",
  "test/e2e/survival/load.long.test.ts",
  "test/e2e/demo/",
  "test/browser/fleet.test.ts",
  "test/e2e/docs/",
  "test/e2e/cli/send.long.test.ts",
  "test/browser/",
  "src/plugins/workspace/clone/crash.long.test.ts",
  "test/chaos/",
  "test/agents/headless.long.test.ts",
  "test/agents/session",
  "test/attack/",
  "test/e2e/reactions/",
  "test/e2e/cli/pack.long.test.ts",
  "test/agents/acp-",
  "test/agents/claude-",
  "src/plugins/scm/local/local.test.ts",
  "src/plugins/workspace/clone/",
  "test/e2e/cli/errors",
  "test/e2e/survival/",
  "test/e2e/sandbox/",
  "src/plugins/workspace/worktree/",
  "test/e2e/first-hour/",
  "src/bridge/kit/commands.property.long.test.ts",
  "src/plugins/scm/",
];

/** Those that take minutes with the counts of the full run. */
const LONG_IN_FULL = [
  "test/e2e/survival/load.long.test.ts",
  "test/chaos/loop-crash.long.test.ts",
  "test/chaos/loop.test.ts",
  "src/plugins/workspace/worktree/loss.test.ts",
  "test/chaos/crash-points.long.test.ts",
  "src/plugins/scm/local/editor.test.ts",
  "src/plugins/workspace/clone/crash.long.test.ts",
  "test/chaos/kills.long.test.ts",
  "src/plugins/workspace/clone/loss.long.test.ts",
  "src/plugins/scm/local/crash.long.test.ts",
];

const ORDER = isFull ? [...LONG_IN_FULL, ...LONG] : LONG;

/** The place of a file in that list, or behind it. */
function rankOf({ moduleId }: TestSpecification): number {
  const found = ORDER.findIndex((part) => moduleId.includes(part));
  return found === -1 ? ORDER.length : found;
}

/** Starts with the slowest files, so that none of them runs alone at the end. A class because vitest instantiates it. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
