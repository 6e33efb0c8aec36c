import { useState } from "react";
import { LineCounts } from "../../../parts/line-counts.tsx";
import { Untrusted, UntrustedBlock } from "../../../parts/untrusted.tsx";
import { outcomeOf, type ToolCall } from "./tool-call.ts";
import { summarizeReads } from "./transcript-rows.ts";

/** One call, or adjacent reads, on one line. Enter or a click shows input and output. */
export function ToolLine({ calls }: { readonly calls: readonly ToolCall[] }) {
  const [isOpen, setOpen] = useState(false);
  const [first] = calls;
  if (first === undefined) return null;
  return (
    <>
      <button type="button" className="transcript-tool" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {calls.length === 1 ? (
          <Untrusted text={first.line} />
        ) : (
          <>
            <span>read {calls.length} times</span>
            <Untrusted text={summarizeReads(calls)} className="ink-3" />
          </>
        )}
        {calls.length === 1 ? <End call={first} /> : null}
      </button>
      {isOpen ? calls.map((call) => <Detail key={call.id} call={call} isAlone={calls.length === 1} />) : null}
    </>
  );
}

function End({ call }: { readonly call: ToolCall }) {
  const { isBad, word, took, lines } = outcomeOf(call);
  return (
    <span className="transcript-tool-end">
      {word === null ? null : <span className={isBad ? "bad" : ""}>{word}</span>}
      {word === null || took === null ? null : ", "}
      {took}
      {lines === null ? null : <LineCounts {...lines} />}
    </span>
  );
}

function Detail({ call, isAlone }: { readonly call: ToolCall; readonly isAlone: boolean }) {
  const { line, input, result } = call;
  const parts = [
    isAlone && !line.includes("\n") ? null : line,
    input,
    result === null ? "No result yet." : result.text.trimEnd(),
    result !== null && result.omitted > 0 ? `… ${result.omitted} more characters` : null,
  ].filter((part) => part !== null && part !== "");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <pre className="transcript-detail" tabIndex={0}>
      <UntrustedBlock text={parts.length === 0 ? "No output." : parts.join("\n\n")} />
    </pre>
  );
}
