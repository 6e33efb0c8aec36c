import { expect, it } from "vitest";
import { examineSandbox } from "./examine.ts";

it.each([
  [undefined, ["none: the agent runs as you"]],
  ["bubblewrap", ["bubblewrap, network: all"]],
  [{ plugin: "bubblewrap", network: "none" }, ["bubblewrap, network: none"]],
  [
    { plugin: "bubblewrap", network: ["api.example.com", "*.npmjs.org"] },
    ["bubblewrap, network: api.example.com, *.npmjs.org, through ao's proxy"],
  ],
])("ao doctor says of the sandbox %o which network its agent has", (written, texts) => {
  expect(examineSandbox("web", written).map(({ text }) => text)).toEqual(texts);
});
