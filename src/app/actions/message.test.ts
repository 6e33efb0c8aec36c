import { describe, expect, it } from "vitest";
import { openActionsBed, SESSION } from "../../../test/support/actions-bed.ts";

describe("a message", () => {
  it("reaches the agent", async () => {
    const { actions, until, heard } = await openActionsBed();
    const { messageId } = await actions.sendMessage(SESSION, "Look again.", {});
    expect(messageId).toMatch(/^m-/);
    await until("the message", () => heard().includes("Look again."));
  });

  it("resent with the same key is one message", async () => {
    const { actions, until, heard, bed } = await openActionsBed();
    const first = await actions.sendMessage(SESSION, "Look again.", { key: "k1" });
    const second = await actions.sendMessage(SESSION, "Look again.", { key: "k1" });
    expect(second).toEqual(first);
    await until("the message", () => heard().includes("Look again."));
    await bed.advance(60_000);
    expect(heard().filter((text) => text === "Look again.")).toHaveLength(1);
  });

  it("of a megabyte arrives complete, and one byte more is rejected", async () => {
    const { actions, until, heard } = await openActionsBed();
    const long = "x".repeat(1024 * 1024);
    await actions.sendMessage(SESSION, long, {});
    await until("the message", () => heard().includes(long));
    await expect(actions.sendMessage(SESSION, `${long}x`, {})).rejects.toMatchObject({ code: "too-large" });
  });

  it("with control characters is rejected if it would go to a terminal", async () => {
    const typed = await openActionsBed({ input: "terminal" });
    await expect(typed.actions.sendMessage(SESSION, "\u001b[2J", {})).rejects.toMatchObject({
      code: "message-refused",
    });
    const piped = await openActionsBed();
    await piped.actions.sendMessage(SESSION, "\u001b[2J", {});
    await piped.until("the message", () => piped.heard().includes("\u001b[2J"));
  });

  it("to an unknown session is rejected", async () => {
    const { actions } = await openActionsBed();
    await expect(actions.sendMessage("demo-nobody", "Hello.", {})).rejects.toMatchObject({ code: "session-unknown" });
  });
});

describe("a question", () => {
  it("gets a person's answer, once", async () => {
    const { actions, until, heard, bed } = await openActionsBed();
    await actions.sendMessage(SESSION, "!ask", {});
    await until("the question", () => bed.engine.loop.world.view.session(SESSION)?.question != null);
    const given = await actions.answer(SESSION, { choice: "yes" }, {});
    expect(given.choice).toBe("Yes");
    await until("the answer", () => heard().includes("Yes"));
    await expect(actions.answer(SESSION, { choice: "No" }, {})).rejects.toThrow();
    expect(heard()).not.toContain("No");
  });
});
