import "./help-dialog.css";
import { capsOf, SCOPES, type Scope, SHORTCUTS, type ShortcutId } from "../keys/shortcuts.ts";
import { Dialog } from "../parts/dialog.tsx";
import { KeyCap } from "../parts/key-cap.tsx";

const COLUMNS: readonly (readonly Scope[])[] = [["anywhere"], ["list", "session"], ["review", "settings"]];

/** All shortcuts by where they work. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const aside = (
    <span className="small ink-3 help-aside">
      inactive while you type in a field <KeyCap keys="Esc" />
    </span>
  );
  return (
    <Dialog title="Keyboard shortcuts" aside={aside} isOpen onClose={onClose}>
      <div className="help">
        {COLUMNS.map((scopes) => (
          <div key={scopes.join()}>
            {scopes.map((scope) => (
              <Shortcuts key={scope} scope={scope} />
            ))}
          </div>
        ))}
      </div>
    </Dialog>
  );
}

function Shortcuts({ scope }: { readonly scope: Scope }) {
  const ids = (Object.keys(SHORTCUTS) as ShortcutId[]).filter((id) => SHORTCUTS[id].scope === scope);
  return (
    <section>
      <h3 className="strong">{SCOPES[scope]}</h3>
      <dl className="help-keys">
        {ids.map((id) => (
          <div key={id}>
            <dt>
              <span className="visually-hidden">{SHORTCUTS[id].keys}</span>
              {capsOf(id).map((cap) => (
                <KeyCap key={cap} keys={cap} />
              ))}
            </dt>
            <dd>{SHORTCUTS[id].text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
