import { describe, expect, it } from "vitest";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createLoginLinks, type LoginLinks, type StoredLogin } from "./login-links.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function someLinks(): {
  readonly links: LoginLinks;
  readonly clock: ReturnType<typeof createFakeClock>;
  readonly kept: StoredLogin[];
  readonly again: () => LoginLinks;
} {
  const clock = createFakeClock(1000);
  const kept: StoredLogin[] = [];
  const options = {
    now: clock.now,
    load: () => [...kept],
    save: (logins: readonly StoredLogin[]) => void kept.splice(0, kept.length, ...logins),
  };
  return { links: createLoginLinks(options), clock, kept, again: () => createLoginLinks(options) };
}

describe("a login link", () => {
  it("works once and opens its page", () => {
    const { links } = someLinks();
    const { secret } = links.create("/sessions/app-1");
    const entry = links.redeem(secret);
    expect(entry?.path).toBe("/sessions/app-1");
    expect(links.isKnown(entry?.cookie ?? "")).toBe(true);
    expect(links.redeem(secret)).toBeNull();
  });

  it("expires after 5 minutes", () => {
    const { links, clock } = someLinks();
    const early = links.create("/");
    const late = links.create("/");
    clock.set(1000 + 5 * MINUTE - 1);
    expect(links.redeem(early.secret)).not.toBeNull();
    clock.set(late.expiresAt);
    expect(late.expiresAt).toBe(1000 + 5 * MINUTE);
    expect(links.redeem(late.secret)).toBeNull();
  });

  it("is rejected when made up", () => {
    const { links } = someLinks();
    links.create("/");
    expect(links.redeem("")).toBeNull();
    expect(links.redeem("0".repeat(48))).toBeNull();
  });

  it("is one of at most 100: the oldest are dropped first", () => {
    const { links } = someLinks();
    const secrets = Array.from({ length: 101 }, () => links.create("/").secret);
    expect(links.redeem(secrets[0] as string)).toBeNull();
    expect(links.redeem(secrets[1] as string)).not.toBeNull();
  });

  it("that is long-lived, like the demo's, still works after many others", () => {
    const { links } = someLinks();
    const { secret } = links.create("/", { lasting: true });
    for (let n = 0; n < 150; n += 1) links.create("/");
    expect(links.redeem(secret)).not.toBeNull();
    expect(links.redeem(secret)).not.toBeNull();
  });
});

describe("a signed-in browser", () => {
  it("stays signed in across a daemon restart, and only the hash of its cookie is stored", () => {
    const { links, kept, again } = someLinks();
    const cookie = links.redeem(links.create("/").secret)?.cookie ?? "";
    expect(again().isKnown(cookie)).toBe(true);
    expect(JSON.stringify(kept)).not.toContain(cookie);
    expect(links.isKnown(kept[0]?.hash ?? "")).toBe(false);
  });

  it("must sign in again after 7 days", () => {
    const { links, clock } = someLinks();
    const cookie = links.redeem(links.create("/").secret)?.cookie ?? "";
    clock.set(1000 + 7 * DAY - 1);
    expect(links.isKnown(cookie)).toBe(true);
    clock.set(1000 + 7 * DAY);
    expect(links.isKnown(cookie)).toBe(false);
  });

  it("is one of at most 50, and expired ones are dropped", () => {
    const { links, clock, kept } = someLinks();
    for (let n = 0; n < 60; n += 1) links.redeem(links.create("/").secret);
    expect(kept).toHaveLength(50);
    clock.set(1000 + 8 * DAY);
    links.redeem(links.create("/").secret);
    expect(kept).toHaveLength(1);
  });
});
