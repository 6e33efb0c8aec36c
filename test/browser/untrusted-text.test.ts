import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { on, scenes } from "../e2e/reactions/scenes.ts";
import { type LoopFleet, makeLoop } from "../support/loop.ts";
import { until } from "../support/until.ts";
import { goTo } from "./support/keys.ts";
import { describeInBrowser, openPage } from "./support/page.ts";

/** Would run if treated as HTML. */
const SCRIPT = "<img src=x onerror=alert(1)><script>alert(2)</script>";
/** Reverses the following text if obeyed. */
const BIDI = "\u202etxt.exe\u202c";
/** Colors and a new title, if a terminal obeys them. */
const ANSI = "\u001b[31mred\u001b[0m\u001b]0;owned\u0007";
const FILE = `${BIDI}<img src=x onerror=alert(3)>.txt`;

/** Raw control and bidi characters in anything that the page shows or reads aloud, with their place. */
const FIND_RAW = `(() => {
  const raw = /[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]/;
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) {
      if (raw.test(node.data)) found.push("text of " + node.parentElement.className + ": " + JSON.stringify(node.data));
      continue;
    }
    for (const name of ["title", "aria-label", "placeholder", "alt"]) {
      const value = node.getAttribute(name);
      if (value !== null && raw.test(value)) found.push(name + " of " + node.className + ": " + JSON.stringify(value));
    }
  }
  if (raw.test(document.title)) found.push("the title of the page");
  return found;
})()`;

/** Elements that only planted text can have created. */
const FIND_MADE = `[...document.querySelectorAll("img, iframe, object, embed, [onerror], body script")].map((one) => one.outerHTML)`;

/** Plants text wherever an agent, git, a check or a person can write. */
async function plant(): Promise<{ readonly fleet: LoopFleet; readonly ids: readonly string[] }> {
  const fleet = await makeLoop({
    files: { "check.sh": `[ -e plain.txt ] || exit 0; printf '%s\\n' '${SCRIPT} ${BIDI} ${ANSI}'; exit 1\n` },
    scripts: {
      default: scenes(
        on("task", "inquire", [
          { note: `${SCRIPT} ${BIDI}` },
          { ask: { question: `${SCRIPT} ${BIDI} ${ANSI}?`, choices: [`${SCRIPT} yes`, `${BIDI} no`] } },
        ]),
        on("task", "", [
          { say: `${SCRIPT} ${BIDI} ${ANSI} [link](javascript:alert(4)) ![image](http://planted.example/x.png)` },
          { write: { path: FILE, text: `${SCRIPT}\n${BIDI}\n${ANSI}\n` } },
          { write: { path: "plain.txt", text: "plain\n" } },
          { commit: `${SCRIPT} ${BIDI}` },
          { done: `${SCRIPT} ${BIDI}` },
        ]),
      ),
    },
    reactions: { "ci-failed": { action: "notify" } },
  });
  await fleet.open();
  mkdirSync(join(fleet.repo, ".ao/issues"), { recursive: true });
  const issue = `---\ntitle: ${JSON.stringify(`${SCRIPT} ${BIDI}`)}\nstate: open\n---\n\n${SCRIPT} ${BIDI}\n`;
  writeFileSync(join(fleet.repo, ".ao/issues/9-planted.md"), issue);
  const begin = async (prompt: string, title: string, branch: string): Promise<string> => {
    const { status, body } = await fleet.write<{ id: string }>("POST", "/api/sessions", { title, prompt, branch });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.id;
  };
  const refused = await fleet.write("POST", "/api/sessions", { title: BIDI, prompt: "commit" });
  expect(refused.status, "a title with hidden characters").toBe(400);
  const ids = [
    await begin("commit", SCRIPT, "agent/<script>alert(5)</script>"),
    await begin("inquire", `ask ${SCRIPT}`, "agent/plain"),
  ];
  const { head } = await fleet.reach(1, "red", ({ checks }) => checks.some(({ state }) => state === "failed"));
  const comments = [{ path: "plain.txt", line: 1, text: `${SCRIPT} ${BIDI} [link](javascript:alert(6))` }];
  await fleet.act(1, "review", { verdict: "comment", head, body: `${SCRIPT} ${BIDI}`, comments });
  await until("the question", async () => (await fleet.session(ids[1] ?? "")).question !== null);
  return { fleet, ids };
}

/** Records everything that must not happen, from the first script of the page on. */
async function watch(page: Page): Promise<string[]> {
  const happened: string[] = [];
  page.on("dialog", (dialog) => {
    happened.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.exposeFunction("reportViolation", (what: string) => void happened.push(`a refused ${what}`));
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => reportViolation(event.violatedDirective + ' ' + event.blockedURI))",
  );
  await page.reload();
  return happened;
}

describeInBrowser("untrusted text", () => {
  it("is shown as text on every page, with hidden characters escaped", async () => {
    const { fleet, ids } = await plant();
    const page = await openPage(fleet);
    const happened = await watch(page);
    const shows = async (path: string, text: string): Promise<void> => {
      await goTo(page, path);
      const shown = (): Promise<boolean> =>
        page.evaluate<boolean>(`document.body.innerText.includes(${JSON.stringify(text)})`);
      await until(`${path} to show ${text}`, shown);
      expect(await page.evaluate(FIND_RAW), `raw characters on ${path}`).toEqual([]);
      expect(await page.evaluate(FIND_MADE), `elements on ${path}`).toEqual([]);
    };
    const [committing, asking] = ids;
    await shows("/", "\\u202etxt.exe");
    await shows("/inbox", "\\u202etxt.exe");
    await shows("/new", "\\u202etxt.exe");
    await shows("/projects", "demo");
    await shows("/p/demo", "alert(1)");
    await shows("/cost", "Cost");
    await shows("/capacity", "Capacity");
    await shows(`/s/${asking}`, "\\x1b[31mred");
    await shows(`/s/${committing}`, "\\x1b[31mred");
    await shows(`/s/${committing}?tab=diff`, "\\u202etxt.exe");
    await shows(`/s/${committing}?tab=events`, "alert(5)");
    await shows(`/p/demo/pr/1?file=${encodeURIComponent(FILE)}`, "\\x1b[31mred");
    await shows("/p/demo/pr/1?file=plain.txt", "\\u202etxt.exe");
    await shows("/p/demo/pr/1?log=test", "alert(2)");
    await page.keyboard.press("Escape");
    await goTo(page, "/");
    await page.keyboard.press("Control+k");
    await page.getByRole("option").filter({ hasText: "alert(1)" }).first().waitFor();
    expect(await page.evaluate(FIND_RAW), "raw characters in the palette").toEqual([]);
    expect(await page.title()).not.toContain("owned");
    expect(happened).toEqual([]);
  });
});
