import { expect } from "vitest";
import type { TrialMerges, WorkspaceRef } from "../../ports/workspace.ts";
import type { Fact, WorkspaceFixture } from "../workspace-fixture.ts";

/** Comparing workspaces while their agents work. */
export function describeTrials(fact: Fact): void {
  fact("finds a file that two workspaces change differently, committed or not", async (fixture) => {
    const { tools } = fixture;
    const [one, two, three] = [await open(fixture, "one"), await open(fixture, "two"), await open(fixture, "three")];
    await tools.write(one.path, { "README.md": "# one\n" });
    await tools.commitAll(one.path, "one");
    await tools.write(two.path, { "README.md": "# two\n", "new.txt": "two\n" });
    await tools.write(three.path, { "new.txt": "three\n" });
    expect(await mergeAll(fixture, [one, two, three])).toEqual([["README.md"], [], ["new.txt"]]);
  });

  fact("compares a workspace with the base that moved under it", async (fixture) => {
    const one = await open(fixture, "one");
    await fixture.tools.write(one.path, { "README.md": "# one\n" });
    const ours = await capture(fixture, one);
    const before = fixture.tools.commitOf("main") ?? "";
    const after = fixture.tools.commitTo("main", { "README.md": "# main\n" });
    const pairs = [before, after].map((theirs) => ({ ours, theirs }));
    const answers = await trialsOf(fixture).merge(one.project, pairs);
    expect(answers).toEqual([{ kind: "clean" }, { kind: "conflict", files: ["README.md"] }]);
  });

  fact("captures the same files as the same commit, and others as another", async (fixture) => {
    const one = await open(fixture, "one");
    expect(await capture(fixture, one)).toBe(fixture.tools.commitOf("agent/one"));
    await fixture.tools.write(one.path, { "README.md": "# one\n" });
    const first = await capture(fixture, one);
    expect(await capture(fixture, one)).toBe(first);
    await fixture.tools.write(one.path, { "README.md": "# another\n" });
    expect(await capture(fixture, one)).not.toBe(first);
  });

  fact("answers every pair even if one cannot be merged", async (fixture) => {
    const one = await open(fixture, "one");
    const head = await capture(fixture, one);
    const pairs = [head, "0123456789012345678901234567890123456789", head].map((theirs) => ({ ours: head, theirs }));
    const answers = await trialsOf(fixture).merge(one.project, pairs);
    expect(answers.map(({ kind }) => kind)).toEqual(["clean", "unknown", "clean"]);
  });
}

async function open({ workspace, request, refOf }: WorkspaceFixture, id: string): Promise<WorkspaceRef> {
  return refOf(await workspace.create(request(id)), request(id));
}

function trialsOf({ workspace }: WorkspaceFixture): TrialMerges {
  if (workspace.trials === undefined) throw new Error("these workspaces cannot be compared");
  return workspace.trials;
}

async function capture(fixture: WorkspaceFixture, ref: WorkspaceRef): Promise<string> {
  return (await trialsOf(fixture).capture(ref)) ?? "";
}

/** The conflicts of each pair: first and second, first and third, second and third. */
async function mergeAll(
  fixture: WorkspaceFixture,
  refs: readonly WorkspaceRef[],
): Promise<readonly (readonly string[])[]> {
  const [a = "", b = "", c = ""] = await Promise.all(refs.map((ref) => capture(fixture, ref)));
  const pairs = [
    { ours: a, theirs: b },
    { ours: a, theirs: c },
    { ours: b, theirs: c },
  ];
  const answers = await trialsOf(fixture).merge(refs[0]!.project, pairs);
  return answers.map((answer) => (answer.kind === "conflict" ? answer.files : []));
}
