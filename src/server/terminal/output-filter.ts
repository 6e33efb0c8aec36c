/** Removes from a terminal's bytes what a viewer must not act on. */
export interface OutputFilter {
  /** The bytes that may be shown; holds an unfinished sequence at the end. */
  push(bytes: Uint8Array): Uint8Array;
  /** How many of the bytes so far are held. */
  held(): number;
}

const ESC = 0x1b;
const ENQ = 0x05;
const BEL = 0x07;
const [CAN, SUB] = [0x18, 0x1a];
const BACKSLASH = 0x5c;
const [CSI, OSC] = [0x5b, 0x5d];
/** OSC, DCS, APC, PM and SOS run to their terminator. */
const STRINGS: ReadonlySet<number | undefined> = new Set([OSC, 0x50, 0x5f, 0x5e, 0x58]);
/** The first byte of controls from U+0080 to U+009F, which terminals also treat as sequences; nothing else uses it. */
const C1_LEAD = 0xc2;
/** A longer sequence is neither text nor color; it is dropped. */
const MAX_SEQUENCE = 64 * 1024;

/**
 * Two kinds of sequences are dropped. Those that reach beyond the terminal: clipboard writes (OSC 52). And those that a
 * terminal answers, such as queries of its colors, title or cursor: tmux has already answered them, and a viewer's
 * answer would be typed into the agent's terminal. Sequences are forwarded complete, so that every cut is between them.
 */
export function createOutputFilter(): OutputFilter {
  const out = createBytes();
  const sequences = createSequences(out.add);
  let isLead = false;
  let held = 0;
  const takeRaw = (byte: number): void => {
    const hadLead = isLead;
    isLead = byte === C1_LEAD;
    if (hadLead && byte >= 0x80 && byte <= 0x9f) return;
    if (hadLead) sequences.take(C1_LEAD);
    if (!isLead) sequences.take(byte);
  };
  return {
    push: (bytes) => {
      for (const byte of bytes) {
        takeRaw(byte);
        held = isLead || sequences.isOpen() ? held + 1 : 0;
      }
      return out.take();
    },
    held: () => held,
  };
}

/** Splits bytes into text and sequences, and forwards what may be shown. */
function createSequences(pass: (byte: number) => void): { take(byte: number): void; isOpen(): boolean } {
  let sequence: number[] = [];
  const extend = (byte: number): void => {
    const before = sequence.at(-1);
    // Anything but the end of a string starts a new sequence after this byte, and silently ends the old one.
    if (before === ESC && byte !== BACKSLASH) sequence = [ESC];
    if (byte === ESC && !STRINGS.has(sequence[1])) sequence = [ESC];
    else if (sequence.length <= MAX_SEQUENCE || byte === ESC || before === ESC) sequence.push(byte);
  };
  const take = (byte: number): void => {
    if (sequence.length === 0 && byte !== ESC) {
      if (byte !== ENQ) pass(byte);
      return;
    }
    if (sequence.length === 0) sequence = [ESC];
    else extend(byte);
    if (!isComplete(sequence, byte)) return;
    if (sequence.length <= MAX_SEQUENCE && isHarmless(sequence)) for (const one of sequence) pass(one);
    sequence = [];
  };
  return { take, isOpen: () => sequence.length > 0 };
}

function createBytes(): { add(byte: number): void; take(): Uint8Array } {
  let bytes = new Uint8Array(65_536);
  let length = 0;
  return {
    add: (byte) => {
      if (length === bytes.length) {
        const larger = new Uint8Array(2 * length);
        larger.set(bytes);
        bytes = larger;
      }
      bytes[length] = byte;
      length += 1;
    },
    take: () => {
      const taken = bytes.slice(0, length);
      length = 0;
      return taken;
    },
  };
}

/** Is this the last byte of the sequence? */
function isComplete(sequence: readonly number[], byte: number): boolean {
  if (byte === CAN || byte === SUB) return true;
  const [, kind] = sequence;
  if (kind === undefined) return false;
  if (kind === CSI) return sequence.length > 2 && byte >= 0x40 && byte <= 0x7e;
  if (STRINGS.has(kind)) {
    return (byte === BEL && kind === OSC) || (byte === BACKSLASH && sequence.at(-2) === ESC && sequence.length > 3);
  }
  return byte >= 0x30 && byte <= 0x7e;
}

function isHarmless(sequence: readonly number[]): boolean {
  const kind = sequence[1];
  const text = String.fromCharCode(...sequence.slice(2, 4096));
  // Any clipboard access; color queries.
  if (kind === OSC) return !/^0*52(?:;|\D|$)|;\?(?:[;\u0007\u001b]|$)/.test(text);
  if (STRINGS.has(kind)) return false;
  if (kind === CSI) return isHarmlessControl(text);
  // DECID queries the terminal type.
  return kind !== 0x5a;
}

// Device attributes (c), status (n), terminal parameters (x), version (> q), modes ($ p), reports of the window (t).
function isHarmlessControl(text: string): boolean {
  if (/[cnx]$/.test(text)) return false;
  if (/^>.*q$/.test(text) || /\$p$/.test(text)) return false;
  return !/^0*(?:1[1-9]|2[01])(?:;.*)?t$/.test(text);
}
