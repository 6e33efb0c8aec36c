import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { CheckRequest } from "../ports/scm.ts";
import { git } from "./git-repo.ts";
import type { ScmFixture } from "./scm-fixture.ts";
import { tempDir } from "./temp.ts";

/** A check of main's newest commit. `linesOf` reads what its command writes to `$OUT`. */
export function aCheck(fixture: ScmFixture, run: string, changes: Partial<CheckRequest> = {}): CheckRequest {
  const dir = tempDir("ao-check-");
  return {
    project: fixture.project,
    commit: git(fixture.repo, "rev-parse", "main").trim(),
    check: "test",
    run,
    setup: null,
    timeoutMs: 60_000,
    folder: join(dir, "attempt"),
    intentId: `check-test/${dir}`,
    env: { PATH: process.env["PATH"] ?? "", HOME: dir, OUT: dir },
    ...changes,
  };
}

export function linesOf(request: CheckRequest, name: string): readonly string[] {
  const path = join(request.env["OUT"] ?? "", name);
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
}

/** No process of the check is left, and no checkout. */
export async function expectNothingLeft(fixture: ScmFixture, request: CheckRequest): Promise<void> {
  expect(await fixture.host.processes.findByIntent(request.intentId)).toEqual([]);
  expect(existsSync(join(request.folder, "tree"))).toBe(false);
}
