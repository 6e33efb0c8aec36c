import { describe, expect, it } from "vitest";
import { judgePlatform, judgeTrial } from "./trial.ts";

describe("a trial of bubblewrap", () => {
  it("that succeeded is no problem", () => {
    expect(judgeTrial({ code: 0, stderr: "" })).toBeNull();
    expect(judgePlatform("linux")).toBeNull();
  });

  it.each([
    ["env: 'bwrap': No such file or directory", "is not installed", "apt install bubblewrap"],
    ["env: unrecognized option '--ignore-signal=INT,QUIT,TERM,HUP'", "too old or too limited", "coreutils"],
    ["bwrap: No permissions to create a new namespace", "No permissions to create", "namespaces may be off"],
    ["", "exit code 1", "namespaces may be off"],
  ])("%s", (stderr, message, hint) => {
    const problem = judgeTrial({ code: 1, stderr });
    expect(problem?.message).toContain(message);
    expect(problem?.hint).toContain(hint);
  });

  it("is not run on macOS, which has no bubblewrap", () => {
    expect(judgePlatform("darwin")?.message).toContain("does not work on macOS");
  });
});
