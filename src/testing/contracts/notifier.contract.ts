import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PluginError } from "../../core/errors.ts";
import type { Notice, Notifier } from "../../ports/notifier.ts";
import { tempDir } from "../temp.ts";

/** One message as its receiver gets it. */
interface Delivered {
  /** Its whole text, with the adapter's own escapes undone. */
  readonly text: string;
  /** What identifies a repetition for the receiver; null if the adapter has no such key. */
  readonly key: string | null;
}

/** The environment of a notifier, fresh for each test. */
interface NotifierScene {
  readonly notifier: Notifier;
  delivered(): readonly Delivered[];
  /** From now on every delivery fails. */
  breakDown(): void;
}

interface NotifierContract {
  readonly name: string;
  readonly create: () => NotifierScene | Promise<NotifierScene>;
  /** What this adapter cannot do, by test name, with the reason. */
  readonly skip?: readonly { readonly test: string; readonly reason: string }[];
}

const TEXTS: Readonly<Record<string, string>> = {
  quotes: `"double" 'single' \`back\` “curly”`,
  "line breaks": "one\ntwo\n\nthree",
  markup: `<b>bold</b> <a href="x">link</a> <img src=x> & &amp; &lt;b&gt; ]]> **bold** [link](x)`,
  "escapes of other languages": String.raw`\n \t \101 \x41 \u0041 \\ %s %n %20 \${HOME} {{x}} \ `.trim(),
  "what looks like an option": "--help -u low",
  "characters of every script": "ünïcödé 日本語 עברית 👩‍👩‍👧‍👦 🎉",
};

type Fact = (scene: NotifierScene) => Promise<void>;

const SENDING: Readonly<Record<string, Fact>> = {
  "sends one notice": async ({ notifier, delivered }) => {
    await notifier.send([aNotice({ title: "The title", text: "The text." })]);
    expect(textsOf(delivered())).toEqual([expect.stringMatching(/The title[\s\S]*The text\./)]);
  },
  "sends several notices as one message": async ({ notifier, delivered }) => {
    await notifier.send(["Alpha", "Beta", "Gamma"].map((title) => aNotice({ id: title, title })));
    expect(textsOf(delivered())).toEqual([expect.stringMatching(/Alpha[\s\S]*Beta[\s\S]*Gamma/)]);
  },
  "sends nothing for no notices": async ({ notifier, delivered }) => {
    await notifier.send([]);
    expect(delivered()).toEqual([]);
  },
  "sends two messages at once": async ({ notifier, delivered }) => {
    await Promise.all(["Alpha", "Beta"].map((title) => notifier.send([aNotice({ id: title, title })])));
    expect(textsOf(delivered()).sort()).toEqual([expect.stringContaining("Alpha"), expect.stringContaining("Beta")]);
  },
  "sends at least the start of a long text": async ({ notifier, delivered }) => {
    const text = Array.from({ length: 1000 }, (_, index) => `line ${index} &`).join("\n");
    await notifier.send([aNotice({ text })]);
    expect(textsOf(delivered())).toEqual([expect.stringContaining(text.slice(0, 200))]);
  },
  "sends twenty notices with long texts, all titles included": async ({ notifier, delivered }) => {
    const notices = Array.from({ length: 20 }, (_, index) =>
      aNotice({ id: `n${index}`, title: `Title ${index}.`, text: "<&>\n".repeat(2500) }),
    );
    await notifier.send(notices);
    const [text = "", ...more] = textsOf(delivered());
    expect(more).toEqual([]);
    expect(notices.filter(({ title }) => !text.includes(title))).toEqual([]);
  },
};

const DATA: Readonly<Record<string, Fact>> = {
  ...Object.fromEntries(Object.entries(TEXTS).map(([name, text]) => [`takes ${name} as text`, takesAsText(text)])),
  "treats terminal escapes and unprintable characters as text": async ({ notifier, delivered }) => {
    await notifier.send([aNotice({ text: "\u001b[31mred\u0007 \u0000 \ud83d end", title: "\u001b]0;x\u0007title" })]);
    expect(textsOf(delivered())).toEqual([expect.stringMatching(/title[\s\S]*red[\s\S]*end/)]);
  },
  "runs no part of a text": async ({ notifier }) => {
    const proof = join(tempDir(), "proof");
    const commands = [`$(touch ${proof})`, `\`touch ${proof}\``, `'; touch ${proof}; '`];
    const script = `" & (do shell script "touch ${proof}") & "`;
    for (const text of [...commands, script]) await notifier.send([aNotice({ text, title: text })]);
    expect(existsSync(proof)).toBe(false);
  },
};

const FAILING: Readonly<Record<string, Fact>> = {
  "rejects with a category when delivery fails": async ({ notifier, breakDown }) => {
    breakDown();
    const failure = await failureOf(notifier.send([aNotice({})]));
    expect(failure.category).toMatch(/./);
    expect(failure.message).toMatch(/./);
  },
  "keeps the text of a notice out of its errors": async ({ notifier, breakDown }) => {
    breakDown();
    const failure = await failureOf(notifier.send([aNotice({ title: "Private title", text: "Private text" })]));
    const { message, hint, data, cause } = failure;
    expect(JSON.stringify({ message, hint, data, cause })).not.toContain("Private");
  },
  "sends nothing during preflight": async ({ notifier, delivered }) => {
    expect(await notifier.preflight()).toEqual({ ok: true, reason: null });
    expect(delivered()).toEqual([]);
  },
};

const REPEATING: Readonly<Record<string, Fact>> = {
  "uses the same key for a repetition, and another for other notices": async ({ notifier, delivered }) => {
    const pair = [aNotice({ id: "a" }), aNotice({ id: "b" })];
    for (const notices of [pair, pair, pair.slice(0, 1)]) await notifier.send(notices);
    const [first, second, third] = delivered().map(({ key }) => key);
    expect(first).toEqual(expect.stringMatching(/./));
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  },
};

/** Runs the facts that hold for every notifier against one. */
export function describeNotifierContract(contract: NotifierContract): void {
  const facts = { ...SENDING, ...DATA, ...FAILING, ...REPEATING };
  const reasons = new Map(contract.skip?.map(({ test, reason }) => [test, reason]));
  for (const test of reasons.keys()) {
    if (!(test in facts)) throw new Error(`The contract of notifiers has no test "${test}".`);
  }
  describe(`${contract.name} satisfies the notifier contract:`, () => {
    for (const [test, fact] of Object.entries(facts)) {
      const reason = reasons.get(test);
      if (reason !== undefined) it.skip(`${test} (skipped: ${reason})`);
      else it(test, async () => fact(await contract.create()));
    }
  });
}

/** A notice with the given fields. */
export function aNotice(fields: Partial<Notice>): Notice {
  return {
    id: "notice-1",
    priority: "action",
    title: "Title",
    text: "Text",
    projectId: "web",
    sessionId: "web-1",
    key: "ci-failed",
    at: Date.UTC(2026, 0, 2, 3, 4, 5),
    act: null,
    ...fields,
  };
}

function takesAsText(text: string): Fact {
  return async ({ notifier, delivered }) => {
    const title = `${text.replaceAll("\n", " ")} (title)`;
    await notifier.send([aNotice({ title, text: `${text} (text)` })]);
    const [got] = textsOf(delivered());
    expect(got).toContain(title);
    expect(got).toContain(`${text} (text)`);
  };
}

async function failureOf(work: Promise<void>): Promise<PluginError> {
  const failure: unknown = await work.catch((error: unknown) => error);
  if (failure instanceof PluginError) return failure;
  throw new Error(`Expected a PluginError, not ${String(failure)}.`);
}

function textsOf(delivered: readonly Delivered[]): string[] {
  return delivered.map(({ text }) => text);
}
