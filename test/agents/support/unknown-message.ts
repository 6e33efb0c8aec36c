import { expect, it, onTestFinished } from "vitest";
import { makePlace, startBridge } from "./bridge.ts";
import { startModelServer } from "./model-server.ts";

/** A part of the driver contract for stand-ins, which send a message of any kind when SEND_UNKNOWN is set. */
export function describeUnknownMessage(driver: string, settings: Readonly<Record<string, unknown>>): void {
  it(`a message that the driver ${driver} does not know is logged and noted, and the turn continues`, async () => {
    const model = await startModelServer();
    onTestFinished(() => model.close());
    const env = { MODEL_URL: model.url, CURSOR_API_KEY: "key", SEND_UNKNOWN: "mood_changed" };
    const bridge = startBridge(makePlace(), driver, { permissions: "all", ...settings }, env);
    bridge.send({ id: "m1", kind: "task", text: "[[say: fine]]" });
    await bridge.hear({ type: "done", summary: "fine" });
    expect(bridge.told().filter((line) => line.includes("mood_changed"))).toHaveLength(1);
    expect((await bridge.end()).stderr).toContain('unknown message "mood_changed"');
  });
}
