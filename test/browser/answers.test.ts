import type { Page, Route } from "playwright-core";
import { expect, it } from "vitest";
import type { SessionView } from "../../src/protocol/views/session.ts";
import { until } from "../support/until.ts";
import { goTo } from "./support/keys.ts";
import { describeInBrowser, openLink, type PageOptions } from "./support/page.ts";
import { useSeededFleet } from "./support/seeded.ts";
import { dealt, SIZES } from "./support/sizes.ts";
import { whyNotReadable, whyOutOfReach } from "./support/within-reach.ts";

interface Sent {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Collects what the page would write; the daemon refuses it, so that the fleet stays as it is. */
async function refuseWrites(page: Page): Promise<Sent[]> {
  const sent: Sent[] = [];
  const refuse = async (route: Route): Promise<void> => {
    const request = route.request();
    if (request.method() === "GET") return route.continue();
    sent.push({ path: new URL(request.url()).pathname, body: request.postDataJSON() });
    return route.fulfill({ status: 409, json: { code: "conflict", detail: "Not now." } });
  };
  await page.route("**/api/**", refuse);
  return sent;
}

type Asking = SessionView & { readonly question: NonNullable<SessionView["question"]> };

/** In a row, a button also says which session it is about. */
const named = (choice: string): RegExp => new RegExp(`^${choice}(, |$)`);

const PARTS = ["choices", "words", "message"] as const;

/** The windows in which a part is tried. */
function sizesOf(part: (typeof PARTS)[number]): readonly (readonly [string, PageOptions])[] {
  return Object.entries(SIZES).filter(([name]) => dealt(PARTS, name).includes(part));
}

describeInBrowser("the answers to an agent", () => {
  const fleet = useSeededFleet(30);

  async function listAsking(): Promise<readonly Asking[]> {
    const headers = { authorization: `Bearer ${fleet().token}` };
    const answer = await fetch(`${fleet().url}/api/sessions`, { headers });
    const { data } = (await answer.json()) as { readonly data: readonly SessionView[] };
    const asking = data.filter((session): session is Asking => session.question !== null);
    expect(asking.map(({ question }) => question.kind).sort()).toEqual(["permission", "question"]);
    return asking;
  }

  /** Presses every answer of a session in this part of the page. */
  async function pressAll(page: Page, within: string, { id, question }: Asking): Promise<readonly string[]> {
    const sent = await refuseWrites(page);
    const wrong: string[] = [];
    for (const choice of question.choices) {
      const button = page
        .locator(within)
        .getByRole("button", { name: named(choice) })
        .first();
      const why = await whyNotReadable(button);
      if (why !== null) wrong.push(`${choice}: ${why}`);
      const refused = page.waitForResponse((answer) => answer.status() === 409);
      await button.click();
      await refused;
      expect(sent.splice(0)).toEqual([
        { path: `/api/sessions/${id}/permission`, body: { choice, questionId: question.id } },
      ]);
      await page
        .locator(within)
        .getByRole("button", { name: named(choice) })
        .first()
        .waitFor();
    }
    await page.unroute("**/api/**");
    return wrong;
  }

  for (const [name, size] of sizesOf("choices")) {
    it(`are all there, in full, at ${name}`, async () => {
      const page = await openLink(await fleet().link(), size);
      await page.locator(".need, .block").first().waitFor();
      const wrong: string[] = [];
      for (const session of await listAsking()) {
        const rows = `:is(.need, .block):has(a[href="/s/${session.id}"])`;
        wrong.push(...(await pressAll(page, rows, session)).map((why) => `row: ${why}`));
        await goTo(page, `/s/${session.id}`);
        wrong.push(...(await pressAll(page, ".session-dock", session)).map((why) => `session: ${why}`));
        await goTo(page, `/inbox/${encodeURIComponent(session.attention?.id ?? "")}`);
        wrong.push(...(await pressAll(page, ".inbox-detail", session)).map((why) => `inbox: ${why}`));
        await goTo(page, "/");
      }
      expect(wrong).toEqual([]);
    });
  }

  for (const [name, size] of sizesOf("words")) {
    it(`can be given in own words in the row, at ${name}`, async () => {
      const page = await openLink(await fleet().link(), size);
      await page.locator(".need, .block").first().waitFor();
      const asking = (await listAsking()).find(({ question }) => question.kind === "question");
      const row = page.locator(`:is(.need, .block):has(a[href="/s/${asking?.id}"])`);
      const sent = await refuseWrites(page);
      await row.getByRole("button", { name: "Reply" }).click();
      await row.locator("textarea").fill("As the law says");
      const send = row.getByRole("button", { name: "Answer", exact: true });
      expect(await whyOutOfReach(send)).toBeNull();
      await send.click();
      await until("the answer", () => sent.length === 1);
      expect(sent).toEqual([
        {
          path: `/api/sessions/${asking?.id}/permission`,
          body: { choice: "As the law says", questionId: asking?.question.id },
        },
      ]);
    });
  }

  for (const [name, size] of sizesOf("message")) {
    it(`a message is written and sent in its own row, at ${name}`, async () => {
      const page = await openLink(await fleet().link(), size);
      const row = page.locator(".need, .block").filter({ hasText: "not committed" });
      const sent = await refuseWrites(page);
      await row.getByRole("button", { name: "Message" }).click();
      const field = row.locator("textarea");
      await field.fill("Commit it, please");
      const send = row.getByRole("button", { name: "Send", exact: true });
      expect([await whyOutOfReach(field), await whyOutOfReach(send)]).toEqual([null, null]);
      await send.click();
      await until("the message", () => sent.length === 1);
      expect(sent[0]?.body).toEqual({ content: "Commit it, please" });
    });
  }

  it("the words of an agent that sends no times are as wide as the others, on a phone", async () => {
    const page = await openLink(await fleet().link(), SIZES["390"]);
    const [session] = await listAsking();
    await page.locator("main h1").first().waitFor({ state: "attached" });
    await goTo(page, `/s/${session?.id}`);
    await page.locator(".transcript-row:not([data-at])").first().waitFor();
    const widths = await page
      .locator(".transcript-body")
      .evaluateAll((bodies) => bodies.map((body) => body.getBoundingClientRect().width));
    expect(widths.length).toBeGreaterThan(2);
    expect(Math.min(...widths)).toBeGreaterThan(280);
  });
});
