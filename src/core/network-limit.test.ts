import { describe, expect, it } from "vitest";
import { aSession } from "../testing/builders.ts";
import { DEFAULT_TRUST } from "./change/trust.ts";
import { limitNetwork, type NetworkLimit, onlyHostsOf } from "./network-limit.ts";
import type { TrustPolicy } from "./policy.ts";

function limit(plugin: string, sandbox: unknown, network: TrustPolicy["network"]): NetworkLimit {
  return limitNetwork(
    { plugin, config: { sandbox } },
    { ...DEFAULT_TRUST, ...(network === undefined ? {} : { network }) },
  );
}

const list = (...network: readonly string[]): unknown => ({ plugin: "bubblewrap", network });

describe("the network of an agent that has read untrusted text", () => {
  it.each<[string, string, unknown, TrustPolicy["network"], object]>([
    ["stays as it is by default", "aider", undefined, undefined, { kind: "none" }],
    [
      "is reduced to its model",
      "claude-code",
      list("api.anthropic.com", "npmjs.org"),
      false,
      { kind: "hosts", hosts: ["api.anthropic.com"] },
    ],
    [
      "is reduced to its model, below a listed name",
      "codex",
      list("*.openai.com"),
      false,
      { kind: "hosts", hosts: ["api.openai.com", "chatgpt.com", "auth.openai.com"] },
    ],
    ["is reduced to a list", "aider", list("a.example"), ["a.example"], { kind: "hosts", hosts: ["a.example"] }],
    ["is gone with an empty list", "aider", list("a.example"), [], { kind: "hosts", hosts: [] }],
    ["is gone for an agent that needs none", "rehearsal", list("a.example"), false, { kind: "hosts", hosts: [] }],
    ["needs nothing if there is none", "aider", { plugin: "bubblewrap", network: "none" }, false, { kind: "none" }],
    ["cannot be taken without a sandbox", "codex", undefined, false, { reason: "its agent has no sandbox" }],
    ["cannot be taken without a sandbox, by name", "codex", "none", [], { reason: "its agent has no sandbox" }],
    ["cannot be taken if its settings are invalid", "codex", "firejail", [], { reason: "its agent has no sandbox" }],
    [
      "cannot be taken from a sandbox without a list",
      "codex",
      "bubblewrap",
      ["api.openai.com"],
      { reason: "its sandbox has full network access" },
    ],
    [
      "cannot be reduced to an unknown model",
      "aider",
      list("a.example"),
      false,
      { reason: "ao does not know the hosts of aider's model" },
    ],
    [
      "cannot be reduced to a model that it does not reach",
      "claude-code",
      list("llm.corp.example"),
      false,
      { reason: "its sandbox lists no host of its model (api.anthropic.com)" },
    ],
  ])("%s", (_, plugin, sandbox, network, expected) => {
    const wanted = "reason" in expected ? { kind: "impossible", ...expected } : expected;
    expect(limit(plugin, sandbox, network)).toMatchObject(wanted);
  });

  it("is not restricted before it reads any", () => {
    const agent = { plugin: "aider", config: { sandbox: list("a.example") } };
    const trust: TrustPolicy = { ...DEFAULT_TRUST, network: [] };
    expect(onlyHostsOf(aSession({ agent }), trust)).toBeNull();
    expect(onlyHostsOf(aSession({ agent, readUntrusted: { from: "mallory", at: 1 } }), trust)).toEqual([]);
  });
});
