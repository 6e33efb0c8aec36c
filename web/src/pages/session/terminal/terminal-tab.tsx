import "./terminal-tab.css";
import { useEffect, useRef, useState } from "react";
import type { SessionDetailView } from "../../../../../src/protocol/views/session.ts";
import { useShortcuts } from "../../../keys/use-shortcuts.ts";
import { useIsPhone } from "../../../lib/use-is-phone.ts";
import { Button } from "../../../parts/button.tsx";
import { KeyCap } from "../../../parts/key-cap.tsx";
import { type OpenTerminal, openTerminal } from "./open-terminal.ts";
import type { LinkState } from "./terminal-link.ts";

interface Input {
  readonly isAllowed: boolean;
  readonly reason: string | null;
}

/** Keys that a phone's keyboard lacks. */
const PHONE_KEYS = [
  ["Esc", "\u001b"],
  ["Tab", "\t"],
  ["Ctrl C", "\u0003"],
  ["←", "\u001b[D"],
  ["↑", "\u001b[A"],
  ["↓", "\u001b[B"],
  ["→", "\u001b[C"],
] as const;

/** The agent's terminal, connected while it is on screen. */
export function TerminalTab({ session }: { readonly session: SessionDetailView }) {
  const place = useRef<HTMLDivElement>(null);
  const terminal = useRef<OpenTerminal | null>(null);
  const [state, setState] = useState<LinkState>({ kind: "connecting" });
  const [input, setInput] = useState<Input | null>(null);
  const [size, setSize] = useState("");
  const isPhone = useIsPhone();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new run of the agent has a new terminal
  useEffect(() => {
    if (place.current === null) return;
    const opened = openTerminal(place.current, session.id, { onState: setState, onInput: setInput, onSize: setSize });
    terminal.current = opened;
    return () => opened.close();
  }, [session.id, session.run.n]);
  useShortcuts({ terminal: () => terminal.current?.focus() });
  const canType = input?.isAllowed === true && state.kind === "live";
  return (
    <div className="terminal">
      <section className="terminal-screen" ref={place} data-keys="off" aria-label="Terminal" />
      {isPhone && canType ? <PhoneKeys onKeys={(keys) => terminal.current?.type(keys)} /> : null}
      <p className="terminal-bar">
        <Hint input={input} />
        <span>{size}</span>
        <span className={state.kind === "live" ? "good" : "you"} role="status">
          {describeState(state)}
        </span>
      </p>
    </div>
  );
}

function Hint({ input }: { readonly input: Input | null }) {
  if (input === null) return <span />;
  if (!input.isAllowed) return <span>Read-only{input.reason === null ? "" : `: ${input.reason}`}</span>;
  return (
    <span>
      click or press <KeyCap keys="t" isPlain /> to type, <KeyCap keys="Ctrl Esc" isPlain /> to leave; ao holds its
      messages while you type
    </span>
  );
}

function PhoneKeys({ onKeys }: { readonly onKeys: (keys: string) => void }) {
  return (
    <div className="terminal-keys">
      {PHONE_KEYS.map(([label, keys]) => (
        <Button key={label} onClick={() => onKeys(keys)}>
          {label}
        </Button>
      ))}
    </div>
  );
}

function describeState(state: LinkState): string {
  switch (state.kind) {
    case "connecting":
      return "connecting";
    case "live":
      return "live";
    case "lost":
      return "disconnected, trying again";
    default:
      return state.reason;
  }
}
