import { expect, it } from "vitest";
import { sendToEach } from "./send-to-each.ts";

const SESSIONS = [{ id: "a" }, { id: "b" }, { id: "c" }];

it("returns the sessions that did not get the message, with the first reason", async () => {
  const gone = new Error("gone");
  const send = ({ id }: { readonly id: string }) => (id === "a" ? Promise.resolve() : Promise.reject(gone));
  expect(await sendToEach(SESSIONS, send)).toEqual({ failed: ["b", "c"], error: gone });
});

it("returns no error if all got it", async () => {
  expect(await sendToEach(SESSIONS, () => Promise.resolve())).toEqual({ failed: [], error: null });
});
