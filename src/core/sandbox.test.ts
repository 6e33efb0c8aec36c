import { describe, expect, it } from "vitest";
import { readSandbox } from "./sandbox.ts";

describe("the sandbox of an agent's settings", () => {
  it.each([
    [undefined, null],
    ["none", null],
    ["bubblewrap", { network: "all", writable: [] }],
    [{ plugin: "bubblewrap" }, { network: "all", writable: [] }],
    [
      { plugin: "bubblewrap", network: ["*.npmjs.org"] },
      { network: ["*.npmjs.org"], writable: [] },
    ],
    [
      { plugin: "bubblewrap", network: "none", writable: ["~/.npm", "/opt/x"] },
      { network: "none", writable: ["~/.npm", "/opt/x"] },
    ],
  ])("%j", (written, expected) => {
    expect(readSandbox(written)).toEqual(expected);
  });

  it.each([
    [null, "none or bubblewrap"],
    [true, "none or bubblewrap"],
    ["Bubblewrap", "none or bubblewrap"],
    [{}, "plugin: bubblewrap"],
    [{ plugin: "docker" }, "plugin: bubblewrap"],
    [{ plugin: "bubblewrap", net: "none" }, "no key net"],
    [{ plugin: "bubblewrap", network: ["https://github.com"] }, "a list of hosts"],
    [{ plugin: "bubblewrap", network: [] }, "a list of hosts"],
    [{ plugin: "bubblewrap", network: false }, "a list of hosts"],
    [{ plugin: "bubblewrap", writable: "~/.npm" }, "list of paths"],
    [{ plugin: "bubblewrap", writable: ["relative"] }, "from / or ~/"],
  ])("%j is rejected, never treated as none", (written, reason) => {
    expect(() => readSandbox(written)).toThrow(reason);
  });
});
