import type { AgentSignal, StoredSignal } from "../core/agent-signal.ts";
import { completeAsked, fitAsked } from "../core/question.ts";
import type { StoredText } from "../core/text.ts";

/** A signal as it is submitted: a question is complete and fits into an event, with its details in the store when they are long. */
export async function storeSignal(
  signal: AgentSignal,
  keepText: (text: string) => Promise<StoredText>,
): Promise<StoredSignal> {
  if (signal.kind !== "asked") return signal;
  const { kind, id, about, ...partly } = signal;
  const {
    kind: asks,
    detail,
    ...asked
  } = fitAsked(completeAsked({ ...partly, ...(about === undefined ? {} : { kind: about }) }));
  const stored = detail === null ? null : { format: detail.format, text: await keepText(detail.text) };
  return { kind, id, about: asks, ...asked, detail: stored };
}
