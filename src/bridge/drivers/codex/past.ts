import type { Recall } from "../../driver.ts";
import type { Rpc } from "../../kit/rpc.ts";
import { type Turn, TurnsPage } from "./messages.ts";

/** What the program's own records of a thread say about prompts, by the ids they were sent with. */
export interface Past {
  recall(promptId: string): Promise<Recall>;
  /** A prompt is being sent, so what was read before is incomplete. */
  add(promptId: string): void;
}

const PAGE = 50;
/** Only the end of a conversation is uncertain. */
const MAX_PAGES = 20;

/** Opens the records of a thread; they are read on demand. */
export function openPast(rpc: Rpc, threadId: string): Past {
  const added = new Set<string>();
  let before: Promise<Read> | null = null;
  return {
    recall: async (promptId) => {
      before ??= readAll(rpc, threadId);
      const { prompts, isWhole } = await (added.has(promptId) ? readAll(rpc, threadId) : before);
      return prompts.get(promptId) ?? { kind: isWhole ? "absent" : "unknown" };
    },
    add: (promptId) => void added.add(promptId),
  };
}

interface Read {
  readonly prompts: ReadonlyMap<string, Recall>;
  readonly isWhole: boolean;
}

async function readAll(rpc: Rpc, threadId: string): Promise<Read> {
  const prompts = new Map<string, Recall>();
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params: object = { threadId, cursor, limit: PAGE, sortDirection: "desc", itemsView: "full" };
    const answer: TurnsPage | undefined = TurnsPage.safeParse(await rpc.request("thread/turns/list", params)).data;
    if (answer === undefined) return { prompts, isWhole: false };
    for (const turn of answer.data) {
      const recall: Recall = { kind: "taken", answer: turn.status === "completed" ? lastWords(turn) : null };
      for (const { clientId } of turn.items)
        if (clientId != null && !prompts.has(clientId)) prompts.set(clientId, recall);
    }
    cursor = answer.nextCursor ?? null;
    if (cursor === null) return { prompts, isWhole: true };
  }
  return { prompts, isWhole: false };
}

function lastWords({ items }: Turn): string {
  return items.findLast(({ type }) => type === "agentMessage")?.text ?? "";
}
