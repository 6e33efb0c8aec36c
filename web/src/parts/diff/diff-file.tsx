import "./diff-file.css";
import { type ReactNode, useMemo, useState } from "react";
import { type ChangeData, Decoration, Diff, getChangeKey, Hunk, type HunkData, type ViewType } from "react-diff-view";
import { Button } from "../button.tsx";
import { describeHunk } from "./describe-hunk.ts";
import { highlight } from "./highlight.ts";
import { countLines, type DiffFile, firstLines } from "./parse-diff.ts";

/** How many lines of a file are rendered at first, and added with each press. */
const SHOWN_LINES = 800;

interface Props {
  readonly file: DiffFile;
  readonly view?: ViewType;
  /** Content below a line, by the key of its change. */
  readonly widgets?: Readonly<Record<string, ReactNode>>;
  /** The line that keys act on. */
  readonly selected?: string | null;
  readonly onChoose?: ((change: ChangeData) => void) | undefined;
}

/** The changes of one file. Long ones are shown in parts, so that the page stays fast. */
export function DiffFileView({ file, view = "unified", widgets, selected = null, onChoose }: Props) {
  const [limit, setLimit] = useState(SHOWN_LINES);
  const hunks = useMemo(() => [...firstLines(file.hunks, limit)], [file, limit]);
  const tokens = useMemo(() => highlight(hunks, file.path), [hunks, file.path]);
  const left = countLines(file.hunks) - countLines(hunks);
  if (hunks.length === 0) return <p className="diff-more ink-3">{describeNothing(file)}</p>;
  const onClick = ({ change }: { readonly change: ChangeData | null }): void => {
    if (change !== null) onChoose?.(change);
  };
  return (
    <>
      <Diff
        diffType={DIFF_TYPES[file.change]}
        viewType={view}
        hunks={hunks}
        tokens={tokens}
        widgets={{ ...widgets }}
        gutterEvents={{ onClick }}
        generateLineClassName={({ changes, defaultGenerate }) =>
          changes.some((change) => change !== null && getChangeKey(change) === selected)
            ? `${defaultGenerate()} diff-line-selected`
            : defaultGenerate()
        }
      >
        {(shown: HunkData[]) => shown.flatMap((hunk) => renderHunk(hunk))}
      </Diff>
      {left > 0 ? (
        <div className="diff-more">
          <Button onClick={() => setLimit(limit + SHOWN_LINES)}>
            Show {Math.min(left, SHOWN_LINES)} more of {left} lines
          </Button>
        </div>
      ) : null}
    </>
  );
}

function renderHunk(hunk: HunkData) {
  return [
    <Decoration key={`above ${hunk.content}`}>{describeHunk(hunk)}</Decoration>,
    <Hunk key={hunk.content} hunk={hunk} />,
  ];
}

const DIFF_TYPES = {
  added: "add",
  deleted: "delete",
  modified: "modify",
  renamed: "rename",
  copied: "copy",
} as const;

function describeNothing({ isBinary, change }: DiffFile): string {
  if (isBinary) return "Binary file, not shown.";
  return change === "modified" ? "Only its mode changed." : `The file was ${change} without other changes.`;
}
