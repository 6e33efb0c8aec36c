import type { TerminalFrame } from "../../../../../src/protocol/views/terminal.ts";

/** The part of a WebSocket that the page needs. */
export interface Socket {
  binaryType: BinaryType;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: (() => void) | null;
  send(data: string): void;
  close(): void;
}

export type LinkState =
  | { readonly kind: "connecting" | "live" | "lost" }
  | { readonly kind: "ended" | "failed"; readonly reason: string };

export interface LinkOptions {
  readonly open: (cursor: string | null) => Socket;
  readonly onBytes: (bytes: Uint8Array) => void;
  /** Everything so far is void: the next bytes draw the whole screen. */
  readonly onClear: () => void;
  readonly onSize: (columns: number, rows: number) => void;
  readonly onInput: (input: { readonly isAllowed: boolean; readonly reason: string | null }) => void;
  readonly onState: (state: LinkState) => void;
  readonly later: (ms: number, act: () => void) => () => void;
}

export interface TerminalLink {
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Nobody is watching, or the page cannot keep up: disconnects until `resume`. */
  pause(): void;
  resume(): void;
  close(): void;
}

const RETRY_MS = [250, 500, 1000, 2000];
const MAX_RETRY_MS = 4000;

/**
 * A terminal over a WebSocket. After a disconnect it continues from its last cursor; bytes after that cursor are sent
 * again, and skipped by their number.
 */
export function createTerminalLink(options: LinkOptions): TerminalLink {
  const place = createPlace(options);
  let socket: Socket | null = null;
  let isOpen = false;
  let failures = 0;
  let isOver = false;
  let size: string | null = null;
  let cancelRetry = (): void => undefined;

  const send = (request: string): void => {
    if (isOpen) socket?.send(request);
  };
  const leave = (): void => {
    cancelRetry();
    const left = socket;
    socket = null;
    isOpen = false;
    left?.close();
  };
  const finish = (state?: LinkState): void => {
    isOver = true;
    if (state !== undefined) options.onState(state);
    leave();
  };
  const connect = (): void => {
    const opened = options.open(place.begin());
    socket = opened;
    opened.binaryType = "arraybuffer";
    opened.onopen = () => {
      isOpen = true;
      failures = 0;
      options.onState({ kind: "live" });
      if (size !== null) send(size);
    };
    opened.onmessage = ({ data }) => {
      if (socket !== opened) return;
      if (typeof data === "string") takeFrame(JSON.parse(data) as TerminalFrame, { options, place, finish });
      else if (data instanceof ArrayBuffer) place.show(new Uint8Array(data));
    };
    opened.onclose = () => {
      if (isOver || socket !== opened) return;
      isOpen = false;
      options.onState({ kind: "lost" });
      cancelRetry = options.later(RETRY_MS[failures] ?? MAX_RETRY_MS, connect);
      failures += 1;
    };
  };
  options.onState({ kind: "connecting" });
  connect();
  return {
    type: (keys) => send(JSON.stringify({ type: "input", data: keys })),
    resize: (columns, rows) => {
      size = JSON.stringify({ type: "resize", columns, rows });
      send(size);
    },
    pause: leave,
    resume: () => (isOver || socket !== null ? undefined : connect()),
    close: () => finish(),
  };
}

interface Receivers {
  readonly options: LinkOptions;
  readonly place: ReturnType<typeof createPlace>;
  readonly finish: (state: LinkState) => void;
}

function takeFrame(frame: TerminalFrame, { options, place, finish }: Receivers): void {
  if (frame.type === "input") options.onInput({ isAllowed: frame.allowed, reason: frame.reason });
  else if (frame.type === "size") options.onSize(frame.columns, frame.rows);
  else if (frame.type === "end") finish({ kind: "ended", reason: frame.reason });
  else if (frame.type === "error") finish({ kind: "failed", reason: frame.message });
  else place.take(frame);
}

/** Tracks how much output was shown, so that no byte is shown twice. */
function createPlace({ onBytes, onClear }: Pick<LinkOptions, "onBytes" | "onClear">) {
  let cursor: string | null = null;
  let behind = 0;
  let skipped = 0;
  return {
    /** Starts a connection: returns where it continues. */
    begin: (): string | null => {
      skipped = behind;
      return cursor;
    },
    show: (bytes: Uint8Array): void => {
      const known = Math.min(skipped, bytes.length);
      skipped -= known;
      if (known === bytes.length) return;
      behind += bytes.length - known;
      onBytes(known === 0 ? bytes : bytes.subarray(known));
    },
    take: (frame: Extract<TerminalFrame, { readonly type: "cursor" | "screen" }>): void => {
      if (frame.type === "cursor") cursor = frame.cursor;
      else onClear();
      behind = 0;
      skipped = 0;
    },
  };
}
