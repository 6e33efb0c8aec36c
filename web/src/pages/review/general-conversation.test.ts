import { expect, it } from "vitest";
import { generalConversations } from "./general-conversation.ts";

type Facts = Parameters<typeof generalConversations>[0];
const review = (id: string, body: string | null, at: string): Facts["reviews"][number] => ({
  id,
  body,
  at,
  author: "mara",
  verdict: "request-changes",
  head: "1",
});
const thread = (id: string, path: string | null, at: string): Facts["threads"][number] => ({
  id,
  path,
  reviewId: "r",
  line: null,
  resolvedBy: null,
  comments: [{ id: `${id}.1`, author: "mara", byAgent: false, text: id, at }],
});

it("has what reviews said as a whole, with and without replies, oldest first", () => {
  const reviews = [review("r-1", "Simplify it.", "3"), review("r-2", null, "4"), review("r-3", "Test it.", "1")];
  const threads = [thread("talk-r-3", null, "1"), thread("r-2.1", "a.ts", "4"), thread("r-4.1", null, "2")];
  const found = generalConversations({ reviews, threads });
  expect(found.map((one) => [one.thread.id, one.canResolve])).toEqual([
    ["talk-r-3", true],
    ["r-4.1", true],
    ["talk-r-1", false],
  ]);
  expect(found[2]?.thread.comments[0]).toMatchObject({ author: "mara", text: "Simplify it." });
});
