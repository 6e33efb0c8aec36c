import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../support/until.ts";
import { makePlace, processesOf } from "./support/bridge.ts";
import { describeDriverContract } from "./support/driver-contract.ts";
import { startModelServer } from "./support/model-server.ts";
import { OPENCODE_FACTS, opencode, opencodeEnvironment } from "./support/opencode.ts";
import { isWhole } from "./support/programs.ts";
import { hasTmux, startTerminalBridge } from "./support/terminal-bridge.ts";

const LIMIT = 300_000;

describe.skipIf(opencode === null || !hasTmux || !isWhole)("the real opencode in a terminal", () => {
  describeDriverContract({
    name: "OpenCode with its own interface",
    ...OPENCODE_FACTS,
    startBridge: startTerminalBridge,
    limitMs: LIMIT,
  });

  it("lets a person start turns, answer questions and close it", async () => {
    const place = makePlace();
    const model = await startModelServer();
    onTestFinished(() => model.close());
    const settings = { command: [opencode], permissions: "ask" };
    const bridge = startTerminalBridge(place, "opencode", settings, opencodeEnvironment(place, model));
    bridge.send({ id: "m1", kind: "task", text: "[[say: hello from ao]]" });
    await bridge.hear({ type: "done", summary: "hello from ao" });
    await until("the answer on the screen", () => bridge.screen().includes("hello from ao"), LIMIT);
    bridge.type("By hand. [[run: touch a.txt]] [[say: hello person]]");
    bridge.press("Enter");
    await bridge.hear({ type: "ask" });
    await until("the question on the screen", () => bridge.screen().includes("Permission required"), LIMIT);
    bridge.press("Enter");
    await bridge.hear({ type: "done", summary: "hello person" });
    expect(existsSync(join(place.workspace, "a.txt"))).toBe(true);
    expect(model.countInLast("By hand.")).toBe(1);
    bridge.press("C-c");
    expect(await bridge.over).toMatchObject({ code: 0 });
    expect(bridge.told()).toContain("note: OpenCode was closed in its terminal.");
    await until("its processes to end", () => processesOf(place).length === 0, LIMIT);
  });
});
