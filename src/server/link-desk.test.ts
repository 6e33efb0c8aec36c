import { describe, expect, it } from "vitest";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createLinkDesk, type LinkDesk, type StoredLogin } from "./link-desk.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function aDesk(): {
  readonly desk: LinkDesk;
  readonly clock: ReturnType<typeof createFakeClock>;
  readonly kept: StoredLogin[];
  readonly again: () => LinkDesk;
} {
  const clock = createFakeClock(1000);
  const kept: StoredLogin[] = [];
  const options = {
    now: clock.now,
    load: () => [...kept],
    save: (logins: readonly StoredLogin[]) => void kept.splice(0, kept.length, ...logins),
  };
  return { desk: createLinkDesk(options), clock, kept, again: () => createLinkDesk(options) };
}

describe("a link for the browser", () => {
  it("works once and leads to its page", () => {
    const { desk } = aDesk();
    const { secret } = desk.create("/sessions/app-1");
    const entry = desk.redeem(secret);
    expect(entry?.path).toBe("/sessions/app-1");
    expect(desk.isKnown(entry?.cookie ?? "")).toBe(true);
    expect(desk.redeem(secret)).toBeNull();
  });

  it("works until 5 minutes are over, and not then", () => {
    const { desk, clock } = aDesk();
    const early = desk.create("/");
    const late = desk.create("/");
    clock.set(1000 + 5 * MINUTE - 1);
    expect(desk.redeem(early.secret)).not.toBeNull();
    clock.set(late.expiresAt);
    expect(late.expiresAt).toBe(1000 + 5 * MINUTE);
    expect(desk.redeem(late.secret)).toBeNull();
  });

  it("is not known when somebody made it up", () => {
    const { desk } = aDesk();
    desk.create("/");
    expect(desk.redeem("")).toBeNull();
    expect(desk.redeem("0".repeat(48))).toBeNull();
  });

  it("is one of at most 100: the oldest go first", () => {
    const { desk } = aDesk();
    const secrets = Array.from({ length: 101 }, () => desk.create("/").secret);
    expect(desk.redeem(secrets[0] as string)).toBeNull();
    expect(desk.redeem(secrets[1] as string)).not.toBeNull();
  });
});

describe("a browser that was let in", () => {
  it("stays in across a restart of the daemon, and only the hash of its cookie is kept", () => {
    const { desk, kept, again } = aDesk();
    const cookie = desk.redeem(desk.create("/").secret)?.cookie ?? "";
    expect(again().isKnown(cookie)).toBe(true);
    expect(JSON.stringify(kept)).not.toContain(cookie);
    expect(desk.isKnown(kept[0]?.hash ?? "")).toBe(false);
  });

  it("is asked again after 7 days", () => {
    const { desk, clock } = aDesk();
    const cookie = desk.redeem(desk.create("/").secret)?.cookie ?? "";
    clock.set(1000 + 7 * DAY - 1);
    expect(desk.isKnown(cookie)).toBe(true);
    clock.set(1000 + 7 * DAY);
    expect(desk.isKnown(cookie)).toBe(false);
  });

  it("is one of at most 50, and those whose time is over are forgotten", () => {
    const { desk, clock, kept } = aDesk();
    for (let n = 0; n < 60; n += 1) desk.redeem(desk.create("/").secret);
    expect(kept).toHaveLength(50);
    clock.set(1000 + 8 * DAY);
    desk.redeem(desk.create("/").secret);
    expect(kept).toHaveLength(1);
  });
});
