import { describe, expect, it, onTestFinished } from "vitest";
import { createReceipt } from "./receipt.ts";

function aReceipt(): { receipt: ReturnType<typeof createReceipt>; accepted: string[]; saved: Set<string> } {
  const accepted: string[] = [];
  const saved = new Set<string>();
  const receipt = createReceipt({
    isSaved: (uuid) => saved.has(uuid),
    onAccepted: (promptId) => void accepted.push(promptId),
  });
  onTestFinished(receipt.close);
  return { receipt, accepted, saved };
}

describe("the receipt of a prompt", () => {
  it("comes when it is saved, whether the program has said so or not", async () => {
    const { receipt, accepted, saved } = aReceipt();
    receipt.await("m1", "u1", false);
    receipt.heard("u1");
    expect(accepted).toEqual([]);
    saved.add("u1");
    await expect.poll(() => accepted).toEqual(["m1"]);
    saved.add("u2");
    receipt.await("m2", "u2", false);
    await expect.poll(() => accepted).toEqual(["m1", "m2"]);
  });

  it("waits for the program's word in the middle of a turn: the file may be ahead of the turn's end", async () => {
    const { receipt, accepted, saved } = aReceipt();
    saved.add("u1");
    receipt.await("m1", "u1", true);
    receipt.heard("another");
    await new Promise((resolve) => setImmediate(resolve));
    expect(accepted).toEqual([]);
    receipt.heard("u1");
    expect(accepted).toEqual(["m1"]);
  });

  it("comes with the end of its turn at the latest", () => {
    const { receipt, accepted } = aReceipt();
    receipt.await("m1", "u1", true);
    receipt.settle(["u0"]);
    expect(accepted).toEqual([]);
    receipt.settle(["u0", "u1"]);
    expect(accepted).toEqual(["m1"]);
  });
});
