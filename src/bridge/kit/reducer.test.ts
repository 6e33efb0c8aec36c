import { describe, expect, it } from "vitest";
import type { Report } from "../driver.ts";
import { andThen, type ReportCall, reduceAll, runReducer, step } from "./reducer.ts";

type Notice = "count" | "stop";

const reduce = (count: number, notice: Notice) =>
  notice === "stop"
    ? step(count, [["ended", { kind: "interrupted" }]], ["stop"])
    : step(count + 1, [["said", `${count + 1}`]], [`write ${count + 1}`]);

/** A report that logs its calls, and may reply to them. */
function aReport(log: unknown[], reply: (call: ReportCall) => void = () => undefined): Report {
  const handler = {
    get:
      (_: object, name: keyof Report) =>
      (...args: readonly unknown[]) => {
        log.push([name, ...args]);
        reply([name, ...args] as unknown as ReportCall);
      },
  };
  return new Proxy({}, handler) as Report;
}

describe("a running reducer", () => {
  it("performs the requests of a step before its reports", () => {
    const log: unknown[] = [];
    const loop = runReducer({ initial: 0, reduce, report: aReport(log), perform: (request) => log.push(request) });
    loop.dispatch("count");
    loop.dispatch("count");
    expect(log).toEqual(["write 1", ["said", "1"], "write 2", ["said", "2"]]);
    expect(loop.state()).toBe(2);
  });

  it("handles a notice that replies to a report after the step that made it", () => {
    const log: unknown[] = [];
    const report = aReport(log, ([name]) => (name === "said" ? loop.dispatch("stop") : undefined));
    const loop = runReducer<number, Notice, string>({
      ...{ initial: 0, reduce, report },
      perform: (request) => log.push(request),
    });
    loop.dispatch("count");
    expect(log).toEqual(["write 1", ["said", "1"], "stop", ["ended", { kind: "interrupted" }]]);
  });

  it("continues after a step that throws", () => {
    const log: unknown[] = [];
    const loop = runReducer({
      initial: 0,
      reduce: (count: number, notice: Notice) => {
        if (notice === "stop") throw new Error("broken");
        return reduce(count, notice);
      },
      report: aReport(log),
      perform: () => undefined,
    });
    expect(() => loop.dispatch("stop")).toThrow("broken");
    loop.dispatch("count");
    expect(log).toEqual([["said", "1"]]);
  });
});

describe("steps", () => {
  it("chained are one step in their order", () => {
    const both = andThen(reduce(0, "count"), (state) => reduce(state, "stop"));
    expect(both).toEqual(
      step(
        1,
        [
          ["said", "1"],
          ["ended", { kind: "interrupted" }],
        ],
        ["write 1", "stop"],
      ),
    );
  });

  it("of a list of notices are what the loop would have produced", () => {
    const { state, reports } = reduceAll(reduce, 0, ["count", "count"] as const);
    expect([state, reports]).toEqual([
      2,
      [
        ["said", "1"],
        ["said", "2"],
      ],
    ]);
  });
});
