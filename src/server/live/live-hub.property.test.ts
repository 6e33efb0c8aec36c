import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openLiveClient, openLiveFleet } from "../../../test/support/live-fleet.ts";

const SESSIONS = 4;

type Step =
  | { readonly do: "say"; readonly session: number }
  | { readonly do: "read"; readonly client: number }
  | { readonly do: "reconnect"; readonly client: number }
  | { readonly do: "restart" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("say" as const), session: fc.nat(SESSIONS - 1) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("read" as const), client: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("reconnect" as const), client: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.constant({ do: "restart" as const }) },
);

/** A page: what it received, and its connection. */
function openPage(hub: ReturnType<ReturnType<typeof openLiveFleet>["newHub"]>, since: string) {
  let client = openLiveClient(hub, since);
  const seen: string[] = [];
  const positions: number[] = [];
  return {
    seen,
    positions,
    read: async (position: number) => {
      for (const { id, event, data } of await client.readTo(position)) {
        if (event === "session") seen.push(`${data["id"]}: ${data["activity"]}`);
        if (id !== null) positions.push(Number.parseInt(id, 10));
      }
    },
    reconnect: (to: typeof hub) => {
      client.close();
      client = openLiveClient(to, client.lastId());
    },
  };
}

/** Runs the steps with three pages, lets each read to the end, and returns the last state of the sessions. */
async function play(steps: readonly Step[]) {
  const fleet = openLiveFleet(SESSIONS);
  let hub = fleet.newHub();
  const newest = new Map<string, string>();
  const pages = Array.from({ length: 3 }, () => openPage(hub, "1"));
  const take = async (one: Step, n: number): Promise<void> => {
    if (one.do === "say") {
      newest.set(`s${one.session}`, `s${one.session}: ${n}`);
      fleet.say(`s${one.session}`, String(n));
    } else if (one.do === "read") await pages[one.client]?.read(fleet.last());
    else if (one.do === "reconnect") pages[one.client]?.reconnect(hub);
    else {
      hub = fleet.newHub();
      for (const page of pages) page.reconnect(hub);
    }
  };
  for (const [n, one] of steps.entries()) await take(one, n);
  for (const page of pages) await page.read(fleet.last());
  return { pages, newest };
}

describe("the stream of changed views under any order of commits, reads, reconnects and restarts", () => {
  it("delivers the newest view of every session, repeats none, and only increases ids", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { pages, newest } = await play(steps);
        for (const { seen, positions } of pages) {
          expect(new Map(seen.map((text) => [text.split(":")[0] ?? "", text]))).toEqual(newest);
          expect(new Set(seen).size).toBe(seen.length);
          expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
        }
      }),
      { numRuns: 60 },
    );
  });
});
