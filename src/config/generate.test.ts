import { describe, expect, test } from "vitest";
import { renderInitialConfig } from "./generate.ts";
import { listNotInEffect } from "./in-effect.ts";
import { parseConfig } from "./parse.ts";

const detected = {
  projectId: "my-app",
  path: "~/my-app",
  repo: "owner/my-app",
  defaultBranch: "main",
  runtime: "tmux",
};

describe("the first file", () => {
  test("says what was detected, and all of it is in effect", () => {
    const { written } = parseConfig(
      renderInitialConfig({ ...detected, agent: "command", agentCommand: ["my agent", "--x=[a, b]"] }),
      "f.yaml",
      {},
    );
    expect(written).toEqual({
      $schema: expect.stringContaining("config.schema.json"),
      defaults: { runtime: "tmux", agent: "command" },
      projects: {
        "my-app": {
          path: "~/my-app",
          repo: "owner/my-app",
          defaultBranch: "main",
          agentConfig: { command: ["my agent", "--x=[a, b]"] },
        },
      },
    });
    expect(listNotInEffect(written)).toEqual([]);
  });

  test("leaves out what was not detected", () => {
    const text = renderInitialConfig({ projectId: "a", path: "." });
    expect(parseConfig(text, "f.yaml", {}).written).toMatchObject({ projects: { a: { path: "." } } });
    expect(text).not.toMatch(/null|undefined|defaults:/);
  });

  test.each(["/tmp/with space: and # signs", "~", "null", "/tmp/'quoted\"", "/tmp/new\nline", "/tmp/ünï"])(
    "holds the path %j",
    (path) => {
      const { written } = parseConfig(renderInitialConfig({ projectId: "42", path }), "f.yaml", {});
      expect(written.projects?.["42"]?.path).toBe(path);
    },
  );

  test("recommends policies that are valid once their # is removed", () => {
    const text = renderInitialConfig({ ...detected });
    const opened = text.replace(/^# (policies:| {2}.*)$/gm, "$1");
    const { written } = parseConfig(opened, "f.yaml", {});
    expect(written.policies).toMatchObject({ approvals: 1, paths: { "**/migrations/**": "human" } });
    expect(parseConfig(text, "f.yaml", {}).written.policies).toBeUndefined();
  });
});
