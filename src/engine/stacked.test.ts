import { describe, expect, it } from "vitest";
import type { ChangeState } from "../core/change/state.ts";
import { ownStart } from "../core/stack/base.ts";
import { aCreate } from "../testing/builders.ts";
import { aCheckRule, aPolicy, aRule } from "../testing/change-builders.ts";
import { type EngineBed, openEngineBed } from "../testing/engine-bed/engine-bed.ts";
import { createPerson, type Person, registerProject } from "../testing/engine-bed/story.ts";

interface Stack {
  readonly bed: EngineBed;
  readonly person: Person;
  change(number: number): ChangeState | undefined;
  approve(number: number): Promise<void>;
}

const PROJECT = { id: "demo", path: "/repo", defaultBranch: "main" };

/** Pull request #1 writes `shared`, and #2, which is stacked on it, writes it again. */
async function openStack(options: Parameters<typeof openEngineBed>[0] = {}): Promise<Stack> {
  const bed = await openEngineBed(options);
  const person = createPerson(bed);
  await registerProject(person);
  const merge = aRule({ action: "merge", retries: 0, strategy: "squash", deleteAfter: true });
  const policy = aPolicy({
    checks: { unit: aCheckRule({ run: "cat shared", setup: "" }) },
    merging: { approvals: 1 },
    train: { batch: 2 },
    reactions: { "approved-and-green": merge },
  });
  await person.command({ type: "project.policy", id: "demo", policy }, "policy 2");
  const change = (number: number): ChangeState | undefined => bed.engine.loop.world.view.change(`demo/${number}`);
  const start = async (title: string, text: string, on?: string): Promise<void> => {
    const facts = { title, prompt: { inline: text }, messageId: `m-${title}`, ...(on === undefined ? {} : { on }) };
    await person.command(aCreate(facts), title);
  };
  await start("Parent", "!commit shared=first");
  await person.until("#1", () => change(1)?.checks["unit"]?.state === "passed");
  await start("Child", "!commit shared=second", "demo-parent");
  await person.until("#2", () => change(2)?.checks["unit"]?.state === "passed");
  return {
    bed,
    person,
    change,
    approve: (number) =>
      person.command(
        {
          type: "change.review",
          key: `demo/${number}`,
          reviewId: `rv-${number}`,
          author: "ann",
          verdict: "approve",
          body: null,
          comments: [],
          head: null,
        },
        `approve ${number}`,
      ),
  };
}

async function mergeBoth({ person, change, approve }: Stack): Promise<void> {
  await approve(2);
  await approve(1);
  await person.until("both to be merged", () => change(1)?.phase === "merged" && change(2)?.phase === "merged");
}

function filesOnMain({ bed: { world } }: Stack): Readonly<Record<string, string>> {
  return Object.fromEntries(world.repository.get(world.repository.head("main") ?? "")?.tree ?? []);
}

describe("two stacked pull requests in the merge train", () => {
  it("compares the upper one with the lower one", async () => {
    const { bed, change } = await openStack();
    const [lower, upper] = [change(1), change(2)];
    expect(bed.world.repository.get(upper?.head ?? "")?.parents).toEqual([lower?.head]);
    expect(upper).toMatchObject({ base: "agent/parent", stackedOn: { number: 1, head: lower?.head } });
    expect(bed.engine.loop.world.view.session("demo-child")?.branchSeen).toMatchObject({ ahead: 1 });
  });

  it("squashes the lower one first, then the upper one, although both wrote the same file", async () => {
    const stack = await openStack();
    await mergeBoth(stack);
    expect(stack.bed.world.scm.merges).toEqual([1, 2]);
    expect(filesOnMain(stack)).toMatchObject({ shared: "second\n" });
    expect(stack.bed.world.diary.filter(({ text }) => text.includes("conflicts with"))).toEqual([]);
  });

  it("shows only its own changes after the lower one is merged", async () => {
    const stack = await openStack();
    await stack.approve(1);
    const { change, person, bed } = stack;
    await person.until("#2 to be tried on main", () => {
      const tried = change(2)?.mergeability;
      return change(2)?.base === "main" && tried?.baseHead === bed.world.repository.head("main");
    });
    const upper = change(2);
    const start = upper === undefined ? null : ownStart(upper);
    expect(start).toBe(change(1)?.head);
    const diff = await bed.world.ports.scm.diff(PROJECT, upper?.head ?? "", start ?? "");
    expect(diff).toBe("diff --git a/shared b/shared\n-first\n+second\n");
  });

  it("tells the agent to drop the lower one's commits if somebody else's change is in the way", async () => {
    const stack = await openStack();
    const { bed, person, change } = stack;
    await stack.approve(1);
    await person.until("#1 to be merged", () => change(1)?.phase === "merged");
    const head = bed.world.repository.commitTo("main", { shared: "by somebody else\n" });
    await person.command({ type: "base.moved", projectId: "demo", head }, "base");
    await person.until("the message", () => bed.world.diary.some(({ text }) => text.includes("git rebase --onto")));
    const message = bed.world.diary.find(({ text }) => text.includes("git rebase --onto"));
    expect(message?.sessionId).toBe("demo-child");
    expect(message?.text).toContain(`git rebase --onto main ${change(1)?.head})`);
    await person.until("#2 to be resolved", () => change(2)?.mergeability?.kind === "clean");
    await stack.approve(2);
    await person.until("#2 to be merged", () => change(2)?.phase === "merged");
    expect(bed.world.scm.merges).toEqual([1, 2]);
  });

  it("does the same under a daemon that dies again and again", async () => {
    let places = 0;
    const stack = await openStack({
      deaths: 12,
      killAt: () => {
        places += 1;
        return places % 41 === 0;
      },
    });
    await mergeBoth(stack);
    expect(stack.bed.world.scm.merges).toEqual([1, 2]);
    expect(filesOnMain(stack)).toMatchObject({ shared: "second\n" });
  });
});
