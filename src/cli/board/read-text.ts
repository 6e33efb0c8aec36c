import type { Client } from "../client.ts";
import { colorDiff } from "../commands/diff.ts";
import { createRawOutput, type RawOutput } from "../raw-output.ts";
import { style as makePlain, type Style } from "../style.ts";
import { visible } from "../visible.ts";

/** What was read of a session's output so far. */
interface Known {
  readonly sessionId: string;
  readonly output: RawOutput;
  cursor: string | undefined;
  text: string;
}

/** Beyond this only the end of a transcript is shown. */
const MAX_TEXT = 2 * 1024 * 1024;

export interface TextReader {
  /** The changes of a session, as git colors them. */
  diff(sessionId: string): Promise<readonly string[]>;
  /** All that its agent printed; only what is new since the last call is fetched. */
  transcript(sessionId: string): Promise<readonly string[]>;
}

/** Reads the texts that fill the screen. */
export function createTextReader(client: Client, style: Style): TextReader {
  // Colors of ours could not be told from those that the agent printed, which are shown as what they are.
  const plain = makePlain({});
  let known: Known | null = null;
  return {
    async diff(sessionId) {
      const { diff } = await client.call("GET /api/sessions/:id/diff", { params: { id: sessionId } });
      if (diff.trim() === "") return [style.dim("No changes yet.")];
      return colorDiff(visible(diff.replaceAll("\t", "    ")).trimEnd(), style).split("\n");
    },
    async transcript(sessionId) {
      if (known?.sessionId !== sessionId) {
        known = { sessionId, output: createRawOutput(plain), cursor: undefined, text: "" };
      }
      const reading = known;
      while (true) {
        const input = reading.cursor === undefined ? {} : { cursor: reading.cursor };
        const part = await client.call("GET /api/sessions/:id/output", { params: { id: sessionId }, input });
        reading.cursor = part.cursor;
        if (part.text === "") break;
        reading.text = (reading.text + visible(reading.output.push(part.text))).slice(-MAX_TEXT);
      }
      return reading.text === "" ? [style.dim("Nothing yet.")] : reading.text.trimEnd().split("\n");
    },
  };
}
