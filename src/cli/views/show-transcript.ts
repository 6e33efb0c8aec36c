import { loadMarkdown } from "./markdown.ts";
import { style } from "./style.ts";
import { GUTTER } from "./transcript-parts.ts";
import { createTranscriptView, type TranscriptView } from "./transcript-view.ts";

/** The transcript view for a stream: as wide as its terminal, and unwrapped without one. */
export async function openTranscriptView(
  sessionId: string,
  options: { readonly full: boolean; readonly stream: NodeJS.WriteStream },
): Promise<TranscriptView> {
  const { stream, full } = options;
  const paint = style(stream);
  const width = stream.isTTY ? Math.max(40, stream.columns || 80) : Number.POSITIVE_INFINITY;
  const markdown = await loadMarkdown({ style: paint, width: width - GUTTER });
  return createTranscriptView({ style: paint, sessionId, width, full, markdown });
}
