import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { SHORTCUTS, type ShortcutId } from "../../web/src/keys/shortcuts.ts";
import { again, commit, on, scenes } from "../e2e/reactions/scenes.ts";
import { type LoopFleet, makeLoop } from "../support/loop.ts";
import { until } from "../support/until.ts";
import { goTo, pressShortcut } from "./support/keys.ts";
import { describeInBrowser, openPage } from "./support/page.ts";

const HANG = scenes(on("task", "", [{ hang: true }]));
const ASK = { ask: { question: "Which color?", choices: ["red", "blue"] } };
const TITLES = {
  "1": "Ask for a color",
  "2": "Never end",
  "3": "Write a green file",
  "4": "Write a red file",
  "5": "Write another green file",
  "6": "Never end either",
  "7": "Wait for the others",
} as const;
type Issue = keyof typeof TITLES;

/** What a shortcut acts on: sessions by their issues, and the numbers of their pull requests. */
interface Stage {
  readonly page: Page;
  readonly fleet: LoopFleet;
  readonly ids: Readonly<Record<Issue, string>>;
  readonly numbers: Readonly<Record<"3" | "4" | "5", number>>;
  press(digit?: string): Promise<void>;
  go(path: string): Promise<void>;
  /** Waits until the address is as described. */
  reach(address: RegExp): Promise<void>;
}

type Try = (stage: Stage) => Promise<void>;

const opens =
  (address: RegExp): Try =>
  async ({ press, go, reach }) => {
    await go(address.test("/") ? "/inbox" : "/");
    await press();
    await reach(address);
  };

/** Every shortcut, in an order in which each finds what it needs: the later ones answer, stop and merge. */
const TRIES: Readonly<Record<ShortcutId, Try>> = {
  palette: async ({ page, press }) => {
    await press();
    await page.getByPlaceholder("Search or run a command").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  },
  actions: async ({ page, press, go, ids }) => {
    await go(`/s/${ids["2"]}`);
    await press();
    await page.getByRole("option", { name: `Stop ${TITLES["2"]}` }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  },
  help: async ({ page, press }) => {
    await press();
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    for (const { text } of Object.values(SHORTCUTS)) await dialog.getByText(text, { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
  },
  "new-session": async ({ page, press, go, reach }) => {
    await go("/");
    await press();
    await page.getByRole("dialog", { name: "New session" }).waitFor();
    await reach(/^\/new$/);
    await page.keyboard.press("Escape");
    await reach(/^\/$/);
  },
  "go-inbox": opens(/^\/inbox/),
  "go-projects": opens(/^\/projects$/),
  "go-cost": opens(/^\/cost/),
  "go-capacity": opens(/^\/capacity$/),
  "go-settings": opens(/^\/settings/),
  "go-fleet": opens(/^\/$/),
  "next-need": opens(/^\/s\//),
  "previous-need": opens(/^\/s\//),
  pause: async ({ page, press, fleet }) => {
    const isPaused = async (): Promise<boolean> =>
      (await fleet.api<{ fleet: { paused: boolean } }>("GET", "/api/sessions")).body.fleet.paused;
    const banner = page.getByRole("status").filter({ hasText: "Paused." });
    await press();
    await banner.waitFor();
    expect(await isPaused()).toBe(true);
    await press();
    await banner.waitFor({ state: "hidden" });
    expect(await isPaused()).toBe(false);
  },
  save: async ({ page, press, go }) => {
    await go("/settings/machine");
    const editor = page.getByRole("textbox", { name: /\.yaml/ });
    await editor.fill(`${await editor.inputValue()}# saved by a key\n`);
    await until("a checked text", () => page.getByRole("button", { name: "Save file" }).isEnabled());
    await press();
    await page.getByText("Saved.").waitFor();
  },
  next: async ({ press, go, reach }) => {
    await go("/");
    await press();
    await reach(/^\/\?sel=/);
  },
  previous: async ({ page, press, go, reach, ids }) => {
    await go("/");
    await press();
    await reach(/^\/\?sel=/);
    expect(page.url(), "without a selection it begins at the end").not.toContain(`sel=${ids["1"]}`);
  },
  open: async ({ press, go, reach, ids }) => {
    await go(`/?sel=${ids["6"]}`);
    await press();
    await reach(new RegExp(`^/s/${ids["6"]}$`));
  },
  filter: async ({ page, press, go, reach }) => {
    await go("/");
    await press();
    await page.keyboard.type("another");
    await reach(/q=another/);
    await page.getByText(TITLES["2"]).first().waitFor({ state: "hidden" });
    await page.keyboard.press("Escape");
    await reach(/^\/$/);
  },
  window: async ({ press, go, reach }) => {
    await go("/");
    await press();
    await reach(/w=12h/);
  },
  select: async ({ page, press, go, ids }) => {
    await go(`/?sel=${ids["2"]}`);
    await press();
    await page.getByRole("toolbar", { name: "Selected sessions" }).getByText("1 selected").waitFor();
    await press();
  },
  message: async ({ page, press, go, ids }) => {
    await go(`/s/${ids["2"]}`);
    await press();
    await page.keyboard.type("are you there");
    await until("the field", async () => (await page.getByLabel(`Message ${ids["2"]}`).inputValue()) !== "");
    await page.keyboard.press("Escape");
  },
  "cancel-message": async ({ page, press, go, fleet, ids }) => {
    // While its question is open the agent gets no other message.
    await fleet.write("POST", `/api/sessions/${ids["1"]}/message`, { content: "not so fast" });
    await go(`/s/${ids["1"]}`);
    const queued = page.getByText("“not so fast”");
    await queued.waitFor();
    await press();
    await queued.waitFor({ state: "hidden" });
  },
  answer: async ({ page, press, go, fleet, ids }) => {
    await go(`/s/${ids["1"]}`);
    const question = page.getByRole("region", { name: "Question" });
    await question.waitFor();
    await press("2");
    await question.waitFor({ state: "hidden" });
    expect(fleet.diary(ids["1"]).at(-1)).toMatchObject({ choice: "blue" });
  },
  terminal: async ({ press, go, reach, ids }) => {
    await go(`/s/${ids["2"]}`);
    await press();
    await reach(/tab=terminal/);
  },
  follow: async ({ page, press, go, ids }) => {
    await go(`/s/${ids["2"]}`);
    const follow = page.getByRole("button", { name: /^follow/ });
    await follow.waitFor();
    const before = await follow.getAttribute("aria-pressed");
    await press();
    await until("the switch", async () => (await follow.getAttribute("aria-pressed")) !== before);
  },
  "copy-path": async ({ page, press, go, fleet, ids }) => {
    await go(`/s/${ids["2"]}`);
    await press();
    await page.getByText("Copied").waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toBe((await fleet.session(ids["2"])).workspacePath);
  },
  log: async ({ page, press, go, ids }) => {
    await go(`/s/${ids["4"]}`);
    await page.getByRole("button", { name: "Log of check test" }).waitFor();
    await press();
    await page.getByRole("dialog").getByText("WRONG is in").waitFor();
    await page.keyboard.press("Escape");
  },
  dismiss: async ({ page, press, go, fleet, ids }) => {
    await go(`/?sel=${ids["4"]}`);
    await page.locator(".need[data-selected]").waitFor();
    await press();
    const attention = async (): Promise<unknown> => (await fleet.session(ids["4"])).attention;
    await until("the inbox to be told", async () => (await attention()) === null);
  },
  interrupt: async ({ press, go, fleet, ids }) => {
    await go(`/s/${ids["2"]}`);
    await press();
    await until("the agent to hear of it", () => fleet.diary(ids["2"]).some(({ event }) => event === "interrupt"));
  },
  stop: async ({ page, press, go, fleet, ids }) => {
    await go(`/?sel=${ids["6"]}`);
    await page.locator("[data-selected]").waitFor();
    await press();
    await page.getByText("Stopped, all work kept.").waitFor();
    expect((await fleet.session(ids["6"])).status).toMatch(/^stop/);
  },
  restore: async ({ page, press, go, fleet, ids }) => {
    await until("the stop", async () => (await fleet.session(ids["6"])).status === "stopped");
    await go(`/s/${ids["6"]}`);
    await page.getByRole("button", { name: "Restore" }).waitFor();
    await press();
    await until("the restart", async () => (await fleet.session(ids["6"])).status === "working");
    await page.getByRole("button", { name: "Restore" }).waitFor({ state: "hidden" });
  },
  comment: async (stage) => {
    const { page, press } = stage;
    await openReview(stage, "3");
    await page.keyboard.press("j");
    await press();
    await page.getByLabel(/^Comment on line 1 of green\.txt/).waitFor();
    await page.keyboard.press("Escape");
  },
  viewed: async (stage) => {
    await openReview(stage, "3");
    await stage.press();
    await until("the mark", () => stage.page.getByRole("checkbox", { name: "viewed" }).isChecked());
  },
  split: async (stage) => {
    await openReview(stage, "3");
    await stage.press();
    await stage.page.getByRole("button", { name: "split" }).waitFor();
  },
  resolve: async (stage) => {
    const { fleet, numbers, press } = stage;
    const { head } = await fleet.pullRequest(numbers["3"]);
    const comments = [{ path: "green.txt", line: 1, text: "why green?" }];
    await fleet.act(numbers["3"], "review", { verdict: "comment", head, comments });
    await openReview(stage, "3");
    await stage.page.getByText("why green?").waitFor();
    await press();
    await fleet.reach(numbers["3"], "resolved", ({ threads }) =>
      threads.every(({ resolvedBy }) => resolvedBy !== null),
    );
  },
  "request-changes": async (stage) => {
    const { page, press, fleet, numbers } = stage;
    await openReview(stage, "4");
    await press();
    await page.getByLabel("What should change?").fill("make it green");
    await page.keyboard.press("Enter");
    await fleet.reach(numbers["4"], "reviewed", ({ reviews }) => reviews.at(-1)?.verdict === "request-changes");
  },
  since: async (stage) => {
    const { page, press, fleet, numbers, ids } = stage;
    const { head } = await fleet.pullRequest(numbers["4"]);
    await fleet.write("POST", `/api/sessions/${ids["4"]}/message`, { content: "one more" });
    await fleet.reach(numbers["4"], "newer", (now) => now.head !== head);
    await openReview(stage, "4");
    // The page may still show the previous commit.
    await page.reload();
    const file = page.getByRole("button", { name: "red.txt" });
    await file.waitFor();
    await press();
    await file.waitFor({ state: "detached" });
    await page.getByText("line of more").waitFor();
  },
  approve: async (stage) => {
    await openReview(stage, "3");
    await stage.press();
    await stage.fleet.reach(stage.numbers["3"], "approved", ({ approvals }) => approvals.length === 1);
  },
  merge: async (stage) => {
    await openReview(stage, "3");
    await stage.press();
    await stage.fleet.reach(stage.numbers["3"], "merged", ({ phase }) => phase === "merged");
  },
  "approve-merge": async (stage) => {
    await openReview(stage, "5");
    await stage.press();
    await stage.fleet.reach(stage.numbers["5"], "merged", ({ phase }) => phase === "merged");
  },
};

async function openReview({ page, go, numbers }: Stage, issue: "3" | "4" | "5"): Promise<void> {
  await go(`/p/demo/pr/${numbers[issue]}`);
  await page
    .getByRole("region", { name: "Diff" })
    .getByText(/^line of/)
    .first()
    .waitFor();
}

/** A fleet with something for every shortcut to act on. */
async function setUp(): Promise<Pick<Stage, "fleet" | "ids" | "numbers">> {
  const fleet = await makeLoop({
    scripts: {
      "1": scenes(on("task", "", [ASK])),
      "3": scenes(on("task", "", commit("green.txt", "line of green\n"))),
      "4": scenes(
        on("task", "", commit("red.txt", "line of WRONG\n")),
        on("message", "", again("more.txt", "line of more\n")),
      ),
      "5": scenes(on("task", "", commit("mint.txt", "line of mint\n"))),
      default: HANG,
    },
    reactions: {
      "approved-and-green": { auto: false, action: "notify" },
      "ci-failed": { action: "notify" },
      "changes-requested": { action: "notify" },
    },
    project: { policies: { approvals: 1 } },
  });
  await fleet.open();
  const begun = await Promise.all(
    Object.entries(TITLES).map(async ([issue, title]) => [issue, (await fleet.begin(issue, title)).id] as const),
  );
  const ids = Object.fromEntries(begun) as Stage["ids"];
  const checked = async (issue: Issue, state: string): Promise<readonly [string, number]> => {
    const reached = await until(`the check of ${TITLES[issue]}`, async () => {
      const [pullRequest] = (await fleet.session(ids[issue])).pullRequests;
      return pullRequest?.checks.every((check) => check.state === state) && pullRequest;
    });
    return [issue, reached.number];
  };
  const numbers = await Promise.all([checked("3", "passed"), checked("4", "failed"), checked("5", "passed")]);
  for (const issue of ["1", "4"] as const) {
    await until(`${TITLES[issue]} to need somebody`, async () => (await fleet.session(ids[issue])).attention !== null);
  }
  return { fleet, ids, numbers: Object.fromEntries(numbers) as Stage["numbers"] };
}

describeInBrowser("the keyboard shortcuts", () => {
  it("each one does what the help says", async () => {
    const stage = await setUp();
    const page = await openPage(stage.fleet);
    // A key that is pressed before the page listens is lost.
    await page.locator("main h1").first().waitFor({ state: "attached" });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const address = (): string => page.url().slice(new URL(page.url()).origin.length);
    for (const [id, attempt] of Object.entries(TRIES) as [ShortcutId, Try][]) {
      try {
        await attempt({
          ...stage,
          page,
          press: (digit) => pressShortcut(page, id, digit),
          go: (path) => goTo(page, path),
          reach: async (wanted) => void (await until(`the address ${String(wanted)}`, () => wanted.test(address()))),
        });
      } catch (error) {
        throw new Error(`${id} (${SHORTCUTS[id].keys}) at ${address()}: ${(error as Error).message}`, { cause: error });
      }
    }
    expect(Object.keys(TRIES).sort()).toEqual(Object.keys(SHORTCUTS).sort());
  });
});
