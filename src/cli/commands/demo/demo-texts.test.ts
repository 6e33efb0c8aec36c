import { describe, expect, it } from "vitest";
import { style } from "../../views/style.ts";
import { conclude, describeForgeEnd, introduce, showSample, whatNext, wrap } from "./demo-texts.ts";

const sample = { dir: "/tmp/ao-demo-Xy12Zz", home: "/tmp/ao-demo-Xy12Zz/home", repo: "/tmp/ao-demo-Xy12Zz/garden" };
const link = `http://localhost:3000/?link=${"x".repeat(43)}`;
const forge = { url: "http://127.0.0.1:65535", repository: "octo/garden", token: "t", reviewerToken: "r", secret: "s" };

describe("the texts of the demo", () => {
  it("fit 80 columns, with the link on its own line", () => {
    const look = { picture: "", tests: 12 };
    const lines = [
      ...introduce(sample, { link, forge: null }),
      ...introduce(sample, { link, forge }),
      ...describeForgeEnd(forge, 7),
      ...showSample(sample, look, "ao"),
      ...whatNext({ isInstalled: false }),
    ];
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines).toContain(`  ${link}`);
  });

  it("name a command that works if ao is not on PATH, and none once everything is stopped", () => {
    const look = { picture: "", tests: 12 };
    expect(showSample(sample, look, "node /clone/dist/cli/ao.cjs").at(-1)).toBe(
      `  AO_HOME=${sample.home} node /clone/dist/cli/ao.cjs events`,
    );
    expect(showSample(sample, look, null).join("\n")).not.toContain("AO_HOME");
  });

  it("wrap between words", () => {
    const sentence = "7 merged in 21 s: 5 agents at the same time, 1 red check fixed, 1 agent recovered from a kill.";
    const summary = { merged: 7, rows: [["TASK"]], sentence, stuck: [] };
    const lines = conclude(summary, { columns: 40, paint: style({}) });
    expect(lines.every((line) => line.length <= 40)).toBe(true);
    expect(lines.slice(3).join(" ")).toBe(sentence);
    expect(wrap(sentence, undefined)).toEqual([sentence]);
  });
});
