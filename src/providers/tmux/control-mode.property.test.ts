import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CONTROL_START, type ControlNotice, formatKeys, readControlLine } from "./control-mode.ts";

function read(...lines: readonly string[]): readonly ControlNotice[] {
  let state = CONTROL_START;
  return lines.flatMap((line) => {
    const step = readControlLine(state, line);
    state = step.state;
    return step.notice === null ? [] : [step.notice];
  });
}

describe("tmux in control mode", () => {
  it.each<[string, readonly string[], readonly ControlNotice[]]>([
    ["reports the size of a window", ["%layout-change @0 a49d,90x30,0,0,0 a49d,90x30,0,0,0 *"], [size(90, 30)]],
    ["answers a command", ["%begin 17 270 1", "some text", "%end 17 270 1"], []],
    [
      "refuses a command",
      ["%begin 17 2 1", "can't find session: x", "%error 17 2 1"],
      [failed("can't find session: x")],
    ],
    ["rejects another client's command", ["%begin 17 2 0", "no", "%error 17 2 0"], []],
    ["ends", ["%exit"], [{ kind: "exit" }]],
    ["ends with a reason", ["%exit server exited"], [{ kind: "exit" }]],
    ["prints unsolicited lines", ["%session-changed $0 ao-x-1", "%sessions-changed", "%window-add @1"], []],
    ["answers with what looks like a notice", ["%begin 17 2 1", "%exit", "%end 16 2 1", "%end 17 2 1"], []],
  ])("%s", (_, lines, notices) => expect(read(...lines)).toEqual(notices));

  it("is parsed after any answer, whatever it contains", () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom("%exit", "%begin 1 1 1", "%end 9 8 1", "%layout-change @0 a,1x1,"),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const answer = lines.filter((one) => !/^%(end|error) 17 5 /.test(one) && !one.includes("\n"));
        expect(read("%begin 17 5 1", ...answer, "%end 17 5 1", "%exit")).toEqual([{ kind: "exit" }]);
      }),
    );
  });

  it("receives every byte once and in order", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        const pressed = formatKeys("=s:", bytes).flatMap((command) =>
          command.replace("send-keys -t =s: -H ", "").split(" "),
        );
        expect(pressed.map((hex) => Number.parseInt(hex, 16))).toEqual([...bytes]);
      }),
    );
  });
});

function size(columns: number, rows: number): ControlNotice {
  return { kind: "size", size: { columns, rows } };
}

function failed(text: string): ControlNotice {
  return { kind: "failed", text };
}
