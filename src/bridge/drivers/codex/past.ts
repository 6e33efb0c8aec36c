import type { Recall } from "../../driver.ts";
import type { Rpc } from "../../kit/rpc.ts";
import { type Turn, TurnsPage } from "./messages.ts";

/** What the program's own records of a thread say about prompts, by the ids that they were given with. */
export interface Past {
  recall(promptId: string): Promise<Recall>;
  /** A prompt is given now, so that what was read before is not all. */
  add(promptId: string): void;
}

const PAGE = 50;
/** Only the end of a conversation is in doubt. */
const MAX_PAGES = 20;

/** Opens the past of a thread; it is read when it is asked for. */
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
