/** The project of the demo, as its configuration names it. */
export const PROJECT = "garden";

/** Who the demo says it is when it reviews, on a forge too; nobody should take it for a person. */
export const REVIEWER = "demo-reviewer";

/** What the demo does for one task beside approving it when it is green. */
export interface Part {
  /** What it answers when the agent asks. */
  readonly answer?: string;
  /** What it asks for in its first review. */
  readonly request?: { readonly body: string; readonly path: string; readonly line: number; readonly text: string };
  /** It approves only when the pull request of another task has come so far. */
  readonly approveWhen?: { readonly issue: string; readonly is: "opened" | "merged" };
}

const FENCE = "4";
const BUTTERFLIES = "5";

/** The demo's part by issue; the parts of the agents are in demo/scripts. */
export const STORY: Readonly<Record<string, Part>> = {
  "3": {
    request: {
      body: "A fine pond. One thing before it goes in:",
      path: "src/layers/pond.js",
      line: 5,
      text: "46 three times, and what is 9? Give the place a name, and let it follow the size of the picture.",
    },
  },
  // Both change the caption. They are open at the same time and merged in this order, so the second one has a conflict.
  [FENCE]: { approveWhen: { issue: BUTTERFLIES, is: "opened" } },
  [BUTTERFLIES]: { approveWhen: { issue: FENCE, is: "merged" } },
  "6": { answer: "east" },
};
