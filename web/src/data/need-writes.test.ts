import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { InboxView } from "../../../src/protocol/views/inbox.ts";
import { applyMessages } from "./apply-messages.ts";
import { setConnection } from "./connection.ts";
import { dismissEntry } from "./need-writes.ts";
import { inboxQuery, sessionsQuery } from "./queries.ts";
import { queryClient } from "./query-client.ts";

const entry = (id: string) => ({ id, text: id }) as InboxView;
const ATTENTION = { id: "b" };
const inbox = (): readonly string[] | undefined =>
  queryClient.getQueryData(inboxQuery().queryKey)?.data.map(({ id }) => id);
const attention = (): unknown => queryClient.getQueryData(sessionsQuery().queryKey)?.data[0]?.attention;

beforeEach(() => {
  setConnection({ state: "live" });
  queryClient.setQueryData(inboxQuery().queryKey, { data: [entry("a"), entry("b"), entry("c")] });
  queryClient.setQueryData(sessionsQuery().queryKey, {
    data: [{ id: "tern-1", attention: ATTENTION }],
    fleet: { position: 1 },
  } as never);
});
afterEach(() => {
  vi.unstubAllGlobals();
  setConnection({ state: "connecting" });
  queryClient.clear();
});

/** A daemon that is gone after the stream brought a message. */
function loseDaemon(meanwhile: () => void): { readonly count: () => number } {
  const fetch = vi.fn(() => {
    meanwhile();
    return Promise.reject(new TypeError("Failed to fetch"));
  });
  vi.stubGlobal("fetch", fetch);
  return { count: () => fetch.mock.calls.length };
}

describe("an entry that could not be dismissed", () => {
  it("returns to its place, and to its session", async () => {
    let shown: unknown;
    loseDaemon(() => {
      shown = [inbox(), attention()];
    });
    await expect(dismissEntry("b")).rejects.toThrow("Failed to fetch");
    expect(shown).toEqual([["a", "c"], null]);
    expect([inbox(), attention()]).toEqual([["a", "b", "c"], ATTENTION]);
  });

  it("returns to the list that the stream brought meanwhile", async () => {
    const streamed = { event: "inbox", data: { data: [entry("c"), entry("d")] } } as never;
    loseDaemon(() => applyMessages(queryClient, [streamed], 2));
    await expect(dismissEntry("b")).rejects.toThrow();
    expect(inbox()).toEqual(["c", "b", "d"]);
  });

  it("is listed once if the stream brought it back already", async () => {
    const newer = { ...entry("b"), text: "newer" };
    const streamed = { event: "inbox", data: { data: [newer] } } as never;
    loseDaemon(() => applyMessages(queryClient, [streamed], 2));
    await expect(dismissEntry("b")).rejects.toThrow();
    expect(queryClient.getQueryData(inboxQuery().queryKey)?.data).toEqual([newer]);
  });

  it("stays where it is while the connection is lost", async () => {
    const seen: unknown[] = [];
    const daemon = loseDaemon(() => seen.push(inbox()));
    setConnection({ state: "lost" });
    await expect(dismissEntry("b")).rejects.toThrow("Lost connection to ao.");
    expect([daemon.count(), inbox()]).toEqual([0, ["a", "b", "c"]]);
  });
});
