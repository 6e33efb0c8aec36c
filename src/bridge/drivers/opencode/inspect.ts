import { z } from "zod";
import type { Api } from "./api.ts";
import { PermissionRequest, QuestionRequest, Statuses } from "./messages.ts";
import { promptOf, readPage } from "./past.ts";
import type { OpencodeNotice, ReadRequest } from "./state.ts";
import { readUsage } from "./usage.ts";

/** How many recent messages to search for a prompt that was just sent. */
const RECENT = 20;

/** Reads from the program what the reducer wants to know. */
export async function read(api: Api, sessionId: string, { kind }: ReadRequest): Promise<OpencodeNotice> {
  switch (kind) {
    case "inspect":
      return inspect(api, sessionId);
    case "read-end":
      return readLast(api, sessionId);
    case "read-usage":
      return { kind: "usage-read", used: await readUsage(api, sessionId) };
  }
}

async function inspect(api: Api, sessionId: string): Promise<OpencodeNotice> {
  const isAtWork = await readIsAtWork(api, sessionId);
  const { list } = await readPage(api, sessionId, { limit: RECENT, before: null });
  const promptIds = list.flatMap(({ parts }) => parts.flatMap((part) => promptOf(part) ?? []));
  const permissions = z.array(PermissionRequest).safeParse((await api.get("/permission")).data).data ?? [];
  const questions = z.array(QuestionRequest).safeParse((await api.get("/question")).data).data ?? [];
  return { kind: "inspected", isAtWork, promptIds, permissions, questions };
}

async function readLast(api: Api, sessionId: string): Promise<OpencodeNotice> {
  const isAtWork = await readIsAtWork(api, sessionId);
  const page = isAtWork ? null : await readPage(api, sessionId, { limit: 1, before: null });
  return { kind: "end-read", isAtWork, last: page?.list.at(-1)?.info ?? null, now: new Date() };
}

async function readIsAtWork(api: Api, sessionId: string): Promise<boolean> {
  const statuses = Statuses.parse((await api.get("/session/status")).data);
  return (statuses[sessionId]?.type ?? "idle") !== "idle";
}
