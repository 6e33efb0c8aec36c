import { describe, expect, it } from "vitest";
import { chooseSocket, nameTmuxSession } from "./names.ts";

describe("the place of the tmux socket", () => {
  it("is in the home if the path fits into a socket address", () => {
    expect(chooseSocket("/home/ada/.agent-orchestrator")).toEqual({
      path: "/home/ada/.agent-orchestrator/tmux.sock",
      sharedFolder: null,
    });
  });

  it("is a short one for a long home, counted in bytes, and differs between homes", () => {
    const long = `/home/${"ü".repeat(50)}`;
    const place = chooseSocket(long);
    expect(place.path.startsWith(`${place.sharedFolder}/`)).toBe(true);
    expect(Buffer.byteLength(place.path)).toBeLessThanOrEqual(100);
    expect(chooseSocket(`${long}x`).path).not.toBe(place.path);
    expect(chooseSocket(long)).toEqual(place);
  });
});

describe("the name of a tmux session", () => {
  it.each([
    ["web-42", 1, "ao-web-42-1"],
    ["web-4", 21, "ao-web-4-21"],
  ])("of %s, run %i is %s", (sessionId, run, name) => {
    expect(nameTmuxSession({ sessionId, run })).toBe(name);
  });

  it("contains no tmux syntax, and stays unique per session", () => {
    const names = ["a.b", "a:b", "a b", "a_b", "=a#{x}b"].map((sessionId) => nameTmuxSession({ sessionId, run: 1 }));
    for (const name of names) expect(name).toMatch(/^ao-[A-Za-z0-9_-]+$/);
    expect(new Set(names).size).toBe(names.length);
  });
});
