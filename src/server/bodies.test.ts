import { expect, it } from "vitest";
import { Answer, readBody } from "./bodies.ts";

it.each([
  ['{"choice":1}', "Invalid input: choice: Invalid input: expected string, received number."],
  ["{", "Invalid input: it is not JSON."],
])("a body like %s is refused with what is wrong with it", async (text, message) => {
  await expect(readBody({ text: async () => text }, Answer)).rejects.toMatchObject({ code: "usage", message });
});
