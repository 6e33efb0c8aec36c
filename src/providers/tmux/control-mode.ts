import type { TerminalSize } from "../../ports/runtime.ts";

/** The messages of tmux's control mode that a viewer needs. */
export type ControlNotice =
  /** A command of this client failed. */
  | { readonly kind: "failed"; readonly text: string }
  | { readonly kind: "size"; readonly size: TerminalSize }
  /** tmux ends the connection. */
  | { readonly kind: "exit" };

/** The block of output being read; null: none. */
export interface ControlState {
  readonly block: { readonly id: string; readonly isOurs: boolean; readonly text: string } | null;
}

export const CONTROL_START: ControlState = { block: null };

/** How much of a command's answer is kept, for error messages. */
const KEPT = 200;

/**
 * Parses one line of control mode: notices start with `%`; the answer to a command is between `%begin` and `%end` or
 * `%error` with the same time and number, and may contain anything.
 */
export function readControlLine(
  state: ControlState,
  line: string,
): { readonly state: ControlState; readonly notice: ControlNotice | null } {
  const { block } = state;
  if (block !== null) {
    const [, end, id] = /^%(end|error) (\d+ \d+) \d+$/.exec(line) ?? [];
    if (end === undefined || id !== block.id) {
      const text = `${block.text}${block.text === "" ? "" : "\n"}${line}`.slice(0, KEPT);
      return { state: { block: { ...block, text } }, notice: null };
    }
    const hasFailed = end === "error" && block.isOurs;
    return { state: CONTROL_START, notice: hasFailed ? { kind: "failed", text: block.text } : null };
  }
  const [, id = "", flags = ""] = /^%begin (\d+ \d+) (\d+)$/.exec(line) ?? [];
  if (id !== "") return { state: { block: { id, isOurs: flags === "1", text: "" } }, notice: null };
  return { state, notice: readNotice(line) };
}

function readNotice(line: string): ControlNotice | null {
  if (line === "%exit" || line.startsWith("%exit ")) return { kind: "exit" };
  // The layout of a window: a checksum, then its size.
  const [, columns, rows] = /^%layout-change @\d+ [0-9a-f]+,(\d{1,5})x(\d{1,5}),/.exec(line) ?? [];
  if (columns === undefined || rows === undefined) return null;
  return { kind: "size", size: { columns: Number(columns), rows: Number(rows) } };
}

/** How many bytes go into one command. */
const BYTES_PER_COMMAND = 512;

/** The commands that press these bytes literally, whatever they mean to tmux. */
export function formatKeys(target: string, bytes: Uint8Array): readonly string[] {
  const commands: string[] = [];
  for (let at = 0; at < bytes.length; at += BYTES_PER_COMMAND) {
    const hex = [...bytes.subarray(at, at + BYTES_PER_COMMAND)].map((byte) => byte.toString(16).padStart(2, "0"));
    commands.push(`send-keys -t ${target} -H ${hex.join(" ")}`);
  }
  return commands;
}
