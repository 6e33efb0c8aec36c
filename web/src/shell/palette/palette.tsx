import "../../parts/dialog.css";
import "./palette.css";
import { Command } from "cmdk";
import { Search, X } from "lucide-react";
import { useState } from "react";
import { writeOutHidden } from "../../../../src/core/hidden-characters.ts";
import { KeyCap } from "../../parts/key-cap.tsx";
import { MarkShape } from "../../parts/state-mark.tsx";
import { useFocusReturn } from "../../parts/use-focus-return.ts";
import { markMatches, type PaletteEntry, searchEntries } from "./search-entries.ts";
import { useEntries } from "./use-entries.ts";

interface Props {
  /** The initial text of the field. */
  readonly typed: string;
  readonly onClose: () => void;
  readonly onHelp: () => void;
}

/** Search for anything, or run a command. */
export function Palette({ typed: first, onClose, onHelp }: Props) {
  useFocusReturn();
  const [typed, setTyped] = useState(first);
  const groups = searchEntries(useEntries(onHelp), typed);
  const run = (entry: PaletteEntry): void => {
    onClose();
    entry.run();
  };
  return (
    <Command.Dialog
      open
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      label="Search or run a command"
      shouldFilter={false}
      loop
      className="palette"
      overlayClassName="dialog-overlay"
      contentClassName="palette-frame"
    >
      <div className="palette-input">
        <Search size={16} aria-hidden="true" />
        <Command.Input value={typed} onValueChange={setTyped} placeholder="Search or run a command" />
        <button type="button" className="palette-close" aria-label="Close" title="Close (Esc)" onClick={onClose}>
          <X size={16} aria-hidden="true" />
        </button>
      </div>
      <Command.List className="palette-list">
        <Command.Empty className="palette-none">Nothing matches.</Command.Empty>
        {groups.map(({ group, entries }) => (
          <Command.Group key={group} heading={group}>
            {entries.map((entry) => (
              <Command.Item key={entry.id} value={entry.id} onSelect={() => run(entry)}>
                <span className="palette-mark">{entry.mark === null ? null : <MarkShape mark={entry.mark} />}</span>
                <Marked text={writeOutHidden(entry.text)} typed={typed} />
                <span className="small ink-3">{entry.note}</span>
                {entry.keys === null ? null : <KeyCap keys={entry.keys} />}
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
      <p className="palette-foot">
        <span>↑↓ select</span>
        <span>Enter run</span>
        <span className="palette-prefixes"># pull requests</span>
        <span>@ sessions</span>
        <span>&gt; actions only</span>
      </p>
    </Command.Dialog>
  );
}

function Marked({ text, typed }: { readonly text: string; readonly typed: string }) {
  return (
    <bdi className="palette-text one-line">
      {markMatches(text, typed).map((piece) =>
        piece.isMatch ? <mark key={piece.at}>{piece.text}</mark> : <span key={piece.at}>{piece.text}</span>,
      )}
    </bdi>
  );
}
