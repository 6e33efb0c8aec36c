import { z } from "zod";
import type { Recall } from "../../driver.ts";
import type { Api } from "./api.ts";
import { Message, type Part } from "./messages.ts";

/** What the program's own records of a session say about prompts, by the mark they were sent with. */
export interface Past {
  recall(promptId: string): Promise<Recall>;
}

const PAGE = 100;
/** Only the end of a conversation is uncertain. */
const MAX_PAGES = 20;

/** Opens the records of a session; they are read on demand. */
export function openPast(api: Api, sessionId: string): Past {
  return {
    recall: async (promptId) => {
      const answers = new Map<string, Message[]>();
      let cursor: string | null = null;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const messages = await readPage(api, sessionId, { limit: PAGE, before: cursor });
        for (const message of messages.list.toReversed()) {
          const { id, parentID } = message.info;
          if (parentID != null) answers.set(parentID, [message, ...(answers.get(parentID) ?? [])]);
          if (message.parts.some((part) => promptOf(part) === promptId)) {
            return { kind: "taken", answer: readAnswer(answers.get(id) ?? []) };
          }
        }
        cursor = messages.cursor;
        if (cursor === null) return { kind: "absent" };
      }
      return { kind: "unknown" };
    },
  };
}

/** The id of our prompt that this part of a message is, or null. */
export function promptOf({ metadata }: Part): string | null {
  return metadata?.ao?.prompt ?? null;
}

/** The last messages of a session, newest last. */
export async function readPage(
  api: Api,
  sessionId: string,
  { limit, before }: { readonly limit: number; readonly before: string | null },
): Promise<{ readonly list: readonly Message[]; readonly cursor: string | null }> {
  const from = before === null ? "" : `&before=${encodeURIComponent(before)}`;
  const { data, cursor } = await api.get(`/session/${sessionId}/message?limit=${limit}${from}`);
  return { list: z.array(Message).parse(data), cursor };
}

// A turn ends with a message that calls no tool.
function readAnswer(answers: readonly Message[]): string | null {
  const last = answers.at(-1);
  const { finish, error, time } = last?.info ?? {};
  if (last === undefined || time?.completed == null || error != null || finish == null || finish === "tool-calls") {
    return null;
  }
  return last.parts.findLast(({ type }) => type === "text")?.text ?? "";
}
