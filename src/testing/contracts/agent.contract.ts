import { describe, expect, it } from "vitest";
import type { Agent } from "../../ports/agent.ts";

interface AgentContract {
  readonly name: string;
  readonly create: () => Agent;
  /** An agent whose program is not on this machine. */
  readonly createMissing: () => Agent;
}

/** The facts that hold for every agent adapter; each adapter's own tests launch the program itself. */
export function describeAgentContract(contract: AgentContract): void {
  describe(`the agent ${contract.name}`, () => {
    it("launches with an argument list, the same one each time", () => {
      const agent = contract.create();
      const first = agent.launch({ interface: "structured", resume: false });
      expect(first.argv.length).toBeGreaterThan(0);
      expect(first.argv.every((argument) => typeof argument === "string")).toBe(true);
      expect(agent.launch({ interface: "structured", resume: false })).toEqual(first);
    });

    it("is typed to, or has lines beside its terminal, when a terminal is requested", () => {
      const { input } = contract.create().launch({ interface: "terminal", resume: false });
      expect(["terminal", "inbox"]).toContain(input);
    });

    it("puts no message into its arguments or environment", () => {
      const launch = contract.create().launch({ interface: "structured", resume: true });
      expect(JSON.stringify(launch)).not.toContain("secret text");
    });

    it("encodes any text without loss", () => {
      const agent = contract.create();
      const text = "line one\nline two\t\"quoted\" 'single' -dash 🎉 \u0000\u0007\u001b[201~ é\u2028 end";
      const bytes = agent.encode({ id: "m1", kind: "message", text, attempt: 1 });
      if (agent.launch({ interface: "structured", resume: false }).input === "file") expect(bytes).toBe(text);
      else {
        expect(bytes.endsWith("\n")).toBe(true);
        expect(bytes.slice(0, -1)).not.toContain("\n");
        expect(JSON.stringify(JSON.parse(bytes))).toContain(JSON.stringify(text));
      }
    });

    it("treats anything else in its output as output", () => {
      const agent = contract.create();
      for (const line of [
        "",
        "plain",
        "{",
        "{}",
        "[]",
        "null",
        '{"type":"unknown"}',
        '{"type":"received"}',
        '{"type":7}',
        `{"type":"done","summary":${"[".repeat(500)}`,
      ]) {
        expect(agent.decode(line)).toBeNull();
      }
    });

    it("reports which program is missing and how to fix it", async () => {
      expect(await contract.create().preflight()).toEqual([]);
      const [problem] = await contract.createMissing().preflight();
      expect(problem?.code).toBe("program-missing");
      expect(problem?.message).toContain("no-such-program");
      expect(problem?.hint).not.toBe("");
    });
  });
}
