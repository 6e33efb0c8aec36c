import { expect, it } from "vitest";
import { createBell } from "./bell.ts";

const never = new AbortController().signal;

it("a bell wakes a waiter", async () => {
  const bell = createBell();
  const waiting = bell.wait(60_000, never);
  bell.ring();
  expect(await waiting).toBe(true);
});

it("a bell rung earlier ends the next wait, once", async () => {
  const bell = createBell();
  bell.ring();
  bell.ring();
  expect(await bell.wait(60_000, never)).toBe(true);
  expect(await bell.wait(1, never)).toBe(false);
});

it("a wait ends when its signal aborts", async () => {
  const bell = createBell();
  const controller = new AbortController();
  const waiting = bell.wait(60_000, controller.signal);
  controller.abort();
  expect(await waiting).toBe(false);
  expect(await bell.wait(60_000, controller.signal)).toBe(false);
});
