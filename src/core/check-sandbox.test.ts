import { describe, expect, it } from "vitest";
import { aSession } from "../testing/builders.ts";
import { chooseCheckSandbox } from "./check-sandbox.ts";
import type { CheckSandboxRule } from "./sandbox.ts";

const author = (sandbox?: unknown, more: Parameters<typeof aSession>[0] = {}) =>
  aSession({ ...more, agent: { plugin: "claude-code", config: sandbox === undefined ? {} : { sandbox } } });
const listed = (...network: string[]) => author({ plugin: "bubblewrap", network });

const choose = (rule: CheckSandboxRule | undefined, ...authors: ReturnType<typeof author>[]) =>
  chooseCheckSandbox(rule, authors, undefined);

describe("the sandbox of a check", () => {
  it("is none for code that was written outside, unless the check asks for one", () => {
    expect(choose(undefined, author())).toBeNull();
    expect(choose("inherit")).toBeNull();
    expect(choose({ network: "none" }, author())).toEqual({ network: "none", writable: [], setUpNetwork: "all" });
  });

  it("is that of the session, with the network for its set-up", () => {
    const sandbox = { plugin: "bubblewrap", network: "none", writable: ["~/data"] };
    const expected = { network: "none", writable: ["~/data"], setUpNetwork: "all" };
    expect(choose(undefined, author(sandbox))).toEqual(expected);
    expect(choose("inherit", author(), author(sandbox))).toEqual(expected);
  });

  it("is none where the person says so", () => {
    expect(choose("none", author("bubblewrap"))).toBeNull();
  });

  it("allows what the check lists and inherits what it leaves open", () => {
    const sandbox = { plugin: "bubblewrap", network: ["a.dev"], writable: ["~/data"] };
    expect(choose({ network: "all" }, author(sandbox))).toMatchObject({ network: "all", writable: ["~/data"] });
    expect(choose({ writable: ["/srv/x"] }, author(sandbox))).toMatchObject({
      network: ["a.dev"],
      writable: ["/srv/x"],
    });
  });

  it.each([
    [
      ["a.dev", "b.dev"],
      [listed("a.dev", "b.dev"), author("bubblewrap")],
    ],
    [["b.dev"], [listed("a.dev", "b.dev"), listed("b.dev", "c.dev")]],
    ["none", [listed("a.dev"), listed("b.dev")]],
    ["none", [listed("a.dev"), author({ plugin: "bubblewrap", network: "none" })]],
  ])("of several sessions allows only what all of them have: %j", (network, authors) => {
    expect(choose(undefined, ...authors)?.network).toEqual(network);
  });

  it("gives a session that read untrusted text no host back, not even to install", () => {
    const trust = { from: "collaborators", allow: [], deny: [], autoMerge: false, network: false } as const;
    const readUntrusted = { author: "eve", at: 1 } as never;
    const session = { ...listed("api.anthropic.com", "npmjs.org"), readUntrusted };
    expect(chooseCheckSandbox(undefined, [session], trust)).toEqual({
      network: ["api.anthropic.com"],
      writable: [],
      setUpNetwork: ["api.anthropic.com"],
    });
  });
});
