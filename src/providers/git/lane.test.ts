import { expect, test } from "vitest";
import { createLane } from "./lane.ts";

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

test("tasks with the same key run one after another, in order of arrival", async () => {
  const lane = createLane();
  const first = gate();
  const seen: string[] = [];
  const one = lane("repo", async () => {
    seen.push("one starts");
    await first.opened;
    seen.push("one ends");
  });
  const two = lane("repo", async () => void seen.push("two"));
  await lane("other", async () => void seen.push("other"));
  expect(seen).toEqual(["one starts", "other"]);
  first.open();
  await Promise.all([one, two]);
  expect(seen).toEqual(["one starts", "other", "one ends", "two"]);
});

test("a task that fails does not stop the next", async () => {
  const lane = createLane();
  const failed = lane("repo", async () => {
    throw new Error("no");
  });
  const next = lane("repo", async () => "yes");
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("yes");
});
