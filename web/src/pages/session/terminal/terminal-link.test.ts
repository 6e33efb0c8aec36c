import { describe, expect, it } from "vitest";
import { createTerminalLink, type LinkState, type Socket } from "./terminal-link.ts";

interface FakeSocket extends Socket {
  readonly cursor: string | null;
  readonly sent: string[];
  isClosed: boolean;
}

function begin() {
  const sockets: FakeSocket[] = [];
  const states: LinkState["kind"][] = [];
  const retries: (() => void)[] = [];
  let text = "";
  let inputAllowed: boolean | null = null;
  const link = createTerminalLink({
    open: (cursor) => {
      const socket: FakeSocket = {
        cursor,
        sent: [],
        isClosed: false,
        binaryType: "blob",
        onopen: null,
        onmessage: null,
        onclose: null,
        send: (data) => void socket.sent.push(data),
        close: () => {
          socket.isClosed = true;
        },
      };
      sockets.push(socket);
      return socket;
    },
    onBytes: (bytes) => {
      text += new TextDecoder().decode(bytes);
    },
    onClear: () => {
      text = "";
    },
    onSize: () => undefined,
    onInput: ({ isAllowed }) => {
      inputAllowed = isAllowed;
    },
    onState: ({ kind }) => void states.push(kind),
    later: (_, act) => {
      retries.push(act);
      return () => void retries.splice(retries.indexOf(act), 1);
    },
  });
  const current = (): FakeSocket => {
    const socket = sockets.at(-1);
    if (socket === undefined) throw new Error("nothing was opened");
    return socket;
  };
  return {
    link,
    sockets,
    states,
    current,
    shown: () => text,
    mayType: () => inputAllowed,
    open: () => current().onopen?.(),
    print: (output: string) => current().onmessage?.({ data: new TextEncoder().encode(output).buffer }),
    tell: (frame: unknown) => current().onmessage?.({ data: JSON.stringify(frame) }),
    lose: () => current().onclose?.(),
    retry: () => retries.shift()?.(),
    retries,
  };
}

describe("a connected terminal", () => {
  it("shows bytes as they arrive", () => {
    const terminal = begin();
    terminal.open();
    terminal.print("one ");
    terminal.print("two");
    expect(terminal.shown()).toBe("one two");
    expect(terminal.states).toEqual(["connecting", "live"]);
  });

  it("sends keys and its size", () => {
    const terminal = begin();
    terminal.link.resize(80, 24);
    terminal.open();
    terminal.link.type("ls\r");
    expect(terminal.current().sent.map((text) => JSON.parse(text) as unknown)).toEqual([
      { type: "resize", columns: 80, rows: 24 },
      { type: "input", data: "ls\r" },
    ]);
  });

  it("reports whether typing is allowed", () => {
    const terminal = begin();
    terminal.tell({ type: "input", allowed: false, reason: "headless" });
    expect(terminal.mayType()).toBe(false);
  });

  it("starts over when the daemon draws the whole screen", () => {
    const terminal = begin();
    terminal.print("old");
    terminal.tell({ type: "screen", reason: "behind" });
    terminal.print("new");
    expect(terminal.shown()).toBe("new");
  });
});

describe("a disconnected terminal", () => {
  it("continues after its cursor without a gap or a repetition", () => {
    const terminal = begin();
    terminal.open();
    terminal.print("abc");
    terminal.tell({ type: "cursor", cursor: "3" });
    terminal.print("de");
    terminal.lose();
    terminal.retry();
    expect(terminal.current().cursor).toBe("3");
    terminal.open();
    terminal.print("d");
    terminal.print("efg");
    expect(terminal.shown()).toBe("abcdefg");
  });

  it("shows the whole screen if its place is gone", () => {
    const terminal = begin();
    terminal.print("abc");
    terminal.lose();
    terminal.retry();
    terminal.tell({ type: "screen", reason: "log-gone" });
    terminal.print("xyz");
    expect(terminal.shown()).toBe("xyz");
  });

  it("sends its size again", () => {
    const terminal = begin();
    terminal.open();
    terminal.link.resize(100, 30);
    terminal.lose();
    terminal.retry();
    terminal.open();
    expect(terminal.current().sent).toHaveLength(1);
  });

  it("stops retrying once it has ended or nobody is watching", () => {
    const ended = begin();
    ended.tell({ type: "end", reason: "the agent exited" });
    ended.lose();
    expect(ended.states.at(-1)).toBe("ended");
    expect(ended.retries).toEqual([]);
    const closed = begin();
    closed.link.close();
    expect(closed.current().isClosed).toBe(true);
    closed.link.resume();
    expect(closed.sockets).toHaveLength(1);
  });
});

it("a paused terminal opens no connection until it is resumed", () => {
  const terminal = begin();
  terminal.open();
  terminal.print("abc");
  terminal.link.pause();
  terminal.sockets[0]?.onclose?.();
  expect(terminal.retries).toEqual([]);
  terminal.link.resume();
  terminal.print("abcdef");
  expect(terminal.shown()).toBe("abcdef");
});
