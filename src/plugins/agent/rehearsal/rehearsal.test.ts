import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { Agent } from "../../../ports/agent.ts";
import { describeAgentContract } from "../../../testing/contracts/agent.contract.ts";
import { tempDir } from "../../../testing/temp.ts";
import { rehearsal } from "./rehearsal.ts";

const host = createNodeHost({ log: createSilentLog() });

function anAgent(script: string, projectPath: string): Agent {
  return rehearsal.create(rehearsal.config.parse({ script, model: "ignored" }), host, { home: "", projectPath });
}

function aProject(script: string): string {
  const path = tempDir();
  writeFileSync(join(path, "play.yaml"), script);
  return path;
}

describeAgentContract({
  name: "rehearsal",
  create: () => anAgent("play.yaml", aProject("scenes: [{ do: [{ done: ready }] }]\n")),
  createMissing: () => anAgent("no-such-program.yaml", "/"),
});

describe("the agent rehearsal", () => {
  let agent: Agent;
  beforeAll(() => {
    agent = anAgent("play.yaml", "/project");
  });

  it("is this package's program with the project's script", () => {
    const { argv, input } = agent.launch({ interface: "structured", resume: false });
    expect(argv[0]).toBe(process.execPath);
    expect(argv[1]).toMatch(/\/dist\/rehearsal\/main\.js$/);
    expect(argv.slice(2)).toEqual(["/project/play.yaml"]);
    expect(input).toBe("inbox");
    expect(agent.launch({ interface: "structured", resume: true }).env).toEqual({ AO_RESUME: "1" });
  });

  it("passes its pace on", () => {
    const config = rehearsal.config.parse({ script: "play.yaml", pace: 0.5 });
    const paced = rehearsal.create(config, host, { home: "", projectPath: "/project" });
    const { argv } = paced.launch({ interface: "structured", resume: false });
    expect(argv.slice(2)).toEqual(["--pace", "0.5", "/project/play.yaml"]);
  });

  it("speaks the lines protocol", () => {
    expect(agent.encode({ id: "m", kind: "task", text: "t", attempt: 1 })).toBe(
      '{"type":"task","id":"m","text":"t"}\n',
    );
    expect(agent.decode('{"type":"done"}')).toEqual({ kind: "done", summary: "" });
  });

  it("reports what is wrong with its script", async () => {
    const wrong = anAgent("play.yaml", aProject("scenes: [{ do: [{ wait: soon }] }]\n"));
    expect(await wrong.preflight("structured")).toMatchObject([
      { code: "config-invalid", message: expect.stringContaining("scenes.0.do.0.wait: expected a time") },
    ]);
  });

  it("has no terminal", async () => {
    expect(await agent.preflight("terminal")).toMatchObject([{ code: "unsupported" }]);
  });

  it("needs a script", () => {
    expect(rehearsal.config.safeParse({}).success).toBe(false);
  });
});
