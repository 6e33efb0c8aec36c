import "./file-tree.css";
import { Check, MessageSquare } from "lucide-react";
import { LineCounts } from "../line-counts.tsx";
import { Untrusted } from "../untrusted.tsx";
import { groupByFolder } from "./group-by-folder.ts";
import type { DiffFile } from "./parse-diff.ts";

interface Props {
  readonly files: readonly DiffFile[];
  readonly selected: string | null;
  readonly onSelect: (path: string) => void;
  readonly viewed?: ReadonlySet<string>;
  /** How many comments a file has, by its path. */
  readonly comments?: ReadonlyMap<string, number>;
}

/** The files of a diff under their folders. */
export function FileTree({ files, selected, onSelect, viewed, comments }: Props) {
  return (
    <nav aria-label="Files">
      {groupByFolder(files).map(({ folder, files: inside }) => (
        <div key={folder}>
          {folder === "" ? null : (
            <p className="file-tree-folder">
              <Untrusted text={folder} />
            </p>
          )}
          {inside.map((file) => (
            <button
              key={file.path}
              type="button"
              className={viewed?.has(file.path) ? "file-tree-file file-tree-viewed" : "file-tree-file"}
              aria-current={file.path === selected}
              onClick={() => onSelect(file.path)}
            >
              <Untrusted text={file.path.slice(folder === "" ? 0 : folder.length + 1)} />
              <Comments count={comments?.get(file.path) ?? 0} />
              <LineCounts added={file.added} removed={file.removed} />
              {viewed?.has(file.path) ? <Check size={14} aria-label="viewed" /> : null}
            </button>
          ))}
        </div>
      ))}
    </nav>
  );
}

function Comments({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <span className="ink-3" title={`${count} comments`}>
      <MessageSquare size={12} aria-hidden /> {count}
    </span>
  );
}
