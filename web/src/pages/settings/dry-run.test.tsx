import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Router } from "wouter";
import type { DryRunRowView, DryRunView } from "../../../../src/protocol/views/dry-run.ts";
import { DryRunBody } from "./dry-run.tsx";

const BAD: DryRunRowView = {
  kind: "bad",
  count: 1,
  reason: null,
  savedMs: 0,
  examples: [{ pullRequest: "tern/203", session: null, name: "#203", text: null }],
};
const aView = (facts: Partial<DryRunView>): DryRunView => ({
  projects: ["tern"],
  since: new Date(Date.now() - 7 * 24 * 3_600_000).toISOString(),
  events: 9412,
  tookMs: 300,
  data: [],
  ...facts,
});

interface Shown {
  readonly data?: DryRunView;
  readonly error?: Error;
  readonly isPending?: boolean;
}

function show({ data, error, isPending = false }: Shown): string {
  return renderToStaticMarkup(
    <Router ssrPath="/">
      <DryRunBody data={data} error={error ?? null} isPending={isPending} onRetry={() => undefined} />
    </Router>,
  );
}

/** What people read. */
const wordsOf = (html: string): string => html.replaceAll(/<[^>]*>/g, "");

describe("the dry run", () => {
  it("has a figure in front of every row, and links its pull requests", () => {
    const html = show({ data: aView({ data: [BAD] }) });
    expect(wordsOf(html)).toContain("Dry run on the last 7 days9,412 events in 0.3 s");
    expect(wordsOf(html)).toContain("1bad merge would have gone through: #203, later reverted");
    expect(html).toContain('<li class="bad">');
    expect(html).toContain('href="/p/tern/pr/203"');
  });

  it("says that nothing differs, and that no rule changes", () => {
    expect(wordsOf(show({ data: aView({}) }))).toContain("0differences from the rules in force");
    expect(wordsOf(show({ data: aView({ projects: [], events: 0 }) }))).toBe("No rule changes");
  });

  it("keeps the rows while a newer text is tried", () => {
    const html = show({ data: aView({ data: [BAD] }), isPending: true });
    expect(wordsOf(html)).toContain("checking …");
    expect(wordsOf(html)).toContain("bad merge would have gone through");
  });

  it("shows a failure in its place, with a way to retry", () => {
    const html = show({ error: Object.assign(new Error("The dry run was stopped after 20 s."), { hint: "Do this." }) });
    expect(wordsOf(html)).toBe("The dry run was stopped after 20 s. Do this.Retry");
  });

  it("is empty at first", () => {
    expect(show({ isPending: true })).toBe("");
  });
});
