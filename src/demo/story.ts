/** The demo's project, as named in its configuration. */
export const PROJECT = "garden";

/** The demo's name in reviews, also on a forge; nobody should mistake it for a person. */
export const REVIEWER = "demo-reviewer";

/** What the demo does for one task besides approving it once it is green. */
export interface Part {
  /** Its answer to the agent's question. */
  readonly answer?: string;
  /** The change it requests in its first review. */
  readonly request?: { readonly body: string; readonly path: string; readonly line: number; readonly text: string };
  /** It approves only once another task's pull request has reached this state. */
  readonly approveWhen?: { readonly issue: string; readonly is: "opened" | "merged" };
}

const FENCE = "4";
const BUTTERFLIES = "5";

/** The demo's part by issue; the agents' parts are in demo/scripts. */
export const STORY: Readonly<Record<string, Part>> = {
  "3": {
    request: {
      body: "A fine pond. One thing before it goes in:",
      path: "src/layers/pond.js",
      line: 5,
      text: "46 three times, and what is 9? Give the place a name, and let it follow the size of the picture.",
    },
  },
  // Both change the caption. They are open at the same time and merged in this order, so the second one gets a
  // conflict.
  [FENCE]: { approveWhen: { issue: BUTTERFLIES, is: "opened" } },
  [BUTTERFLIES]: { approveWhen: { issue: FENCE, is: "merged" } },
  "6": { answer: "east" },
};
