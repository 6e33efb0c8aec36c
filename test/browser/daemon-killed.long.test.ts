import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { SessionDetailView, SessionView } from "../../src/protocol/views/session.ts";
import { hasTmux } from "../support/pane.ts";
import { until } from "../support/until.ts";
import { describeInBrowser, openPage } from "./support/page.ts";
import { startInTerminals } from "./support/terminals.ts";

/** Prints numbered rows before the daemon dies, while it is dead, and after it is back. */
const PROGRAM = `
rows() { n=$1; while [ $n -le $2 ]; do echo "row $n"; n=$((n+1)); done; }
echo ready; read -r task; rows 1 8
until [ -e "$AO_DIARY/dead" ]; do sleep 0.02; done; rows 9 16
until [ -e "$AO_DIARY/back" ]; do sleep 0.02; done; rows 17 24
exec cat`;

const rowsIn = (text: string): readonly string[] => text.match(/row \d+/g) ?? [];

/** The messages that the page's stream receives, including those after a reconnect. */
async function watchStream(page: Page): Promise<readonly { eventName: string; eventId: string; data: string }[]> {
  const messages: { eventName: string; eventId: string; data: string }[] = [];
  const session = await page.context().newCDPSession(page);
  session.on("Network.eventSourceMessageReceived", (message) => messages.push(message));
  await session.send("Network.enable");
  return messages;
}

describeInBrowser("a page whose daemon is killed", () => {
  it.skipIf(!hasTmux)("resumes its stream and its terminal without a gap or a repeat", async () => {
    const fleet = await startInTerminals(PROGRAM);
    const page = await openPage(fleet);
    const messages = await watchStream(page);
    const { body } = await fleet.write<SessionDetailView>("POST", "/api/sessions", { title: "Count", prompt: "task" });
    await page.goto(new URL(`/s/${body.id}?tab=terminal`, page.url()).href);
    const loadedAt = await page.evaluate(() => performance.timeOrigin);
    const terminal = page.getByRole("region", { name: "Terminal" });
    const shownRows = async (): Promise<readonly string[]> =>
      rowsIn((await terminal.innerText()).replaceAll("\u00a0", " "));
    await until("the first rows", async () => (await shownRows()).includes("row 8"));

    await fleet.kill();
    writeFileSync(join(fleet.dir, "diary", "dead"), "");
    const log = (): string => readFileSync(join(fleet.home, "sessions", body.id, "runs/1/out"), "utf8");
    await until("rows that no daemon sees", () => log().includes("row 16"));
    await fleet.start({ AO_PORT: new URL(page.url()).port });
    await until("the rows of the time without a daemon", async () => (await shownRows()).includes("row 16"));
    writeFileSync(join(fleet.dir, "diary", "back"), "");
    await until("the last rows", async () => (await shownRows()).includes("row 24"));
    expect(await shownRows()).toEqual(rowsIn(log()));

    await fleet.write("POST", `/api/sessions/${body.id}/interrupt`, {});
    const views = (): readonly SessionView[] =>
      messages.flatMap(({ eventName, data }) => (eventName === "session" ? [JSON.parse(data) as SessionView] : []));
    await until("the stream to show what the list shows", async () => {
      const { body: list } = await fleet.api<{ data: SessionView[] }>("GET", "/api/sessions");
      return JSON.stringify(views().at(-1)) === JSON.stringify(list.data[0]);
    });
    const ids = messages.flatMap(({ eventId }) => (eventId === "" ? [] : [Number.parseInt(eventId, 10)]));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    const seen = views().map((view) => JSON.stringify(view));
    expect(seen).toEqual([...new Set(seen)]);
    expect(messages.filter(({ eventName }) => eventName === "reset")).toEqual([]);
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(loadedAt);
  });
});
