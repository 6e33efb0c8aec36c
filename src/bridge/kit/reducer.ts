import type { Report } from "../driver.ts";

/** A call of `Report` as data: its name and its arguments, such as `["said", "Done."]`. */
export type ReportCall = { [Name in keyof Report]: readonly [Name, ...Parameters<Report[Name]>] }[keyof Report];

/** What a reducer produces for one notice. */
export interface Step<State, Request = never> {
  readonly state: State;
  readonly reports: readonly ReportCall[];
  /** What the shell does now: answer the vendor, write a note, start a process. */
  readonly requests: readonly Request[];
}

/**
 * All decisions of a driver. A notice is anything that happens to the driver: a message of the vendor, a prompt, an
 * answer, an interrupt, the end of a process. Time and random ids come with the notice, so the same notices give the
 * same reports.
 */
export type Reducer<State, Notice, Request = never> = (state: State, notice: Notice) => Step<State, Request>;

/** A request of any driver: save a value for the next process. */
export interface NoteRequest {
  readonly kind: "note";
  readonly name: string;
  readonly value: string;
}

export function note(name: string, value: string): NoteRequest {
  return { kind: "note", name, value };
}

/** Creates a step from a new state, reports and requests. */
export function step<State, Request = never>(
  state: State,
  reports: readonly ReportCall[] = [],
  requests: readonly Request[] = [],
): Step<State, Request> {
  return { state, reports, requests };
}

/** Two steps as one; the second sees the state that the first left. */
export function andThen<State, Request>(
  first: Step<State, Request>,
  next: (state: State) => Step<State, Request>,
): Step<State, Request> {
  const second = next(first.state);
  return {
    state: second.state,
    reports: [...first.reports, ...second.reports],
    requests: [...first.requests, ...second.requests],
  };
}

/** Lifts a step of one part of the state to the whole state. */
export function lift<State, Key extends keyof State, Request>(
  state: State,
  key: Key,
  part: Step<State[Key], Request>,
): Step<State, Request> {
  return { ...part, state: { ...state, [key]: part.state } };
}

export interface ReducerLoop<State, Notice> {
  dispatch(notice: Notice): void;
  state(): State;
}

export interface ReducerOptions<State, Notice, Request> {
  readonly initial: State;
  readonly reduce: Reducer<State, Notice, Request>;
  readonly report: Report;
  perform(request: Request): void;
}

/**
 * Runs a reducer. Requests are performed before reports are made: what is reported is on disk and on its way. A notice
 * that arrives during a step, such as an interrupt in reply to a report, is handled after it.
 */
export function runReducer<State, Notice, Request>(
  options: ReducerOptions<State, Notice, Request>,
): ReducerLoop<State, Notice> {
  const waiting: Notice[] = [];
  let state = options.initial;
  let isRunning = false;

  const takeAll = (): void => {
    for (let notice = waiting.shift(); notice !== undefined; notice = waiting.shift()) {
      const next = options.reduce(state, notice);
      state = next.state;
      for (const request of next.requests) options.perform(request);
      for (const call of next.reports) makeReport(options.report, call);
    }
  };

  return {
    state: () => state,
    dispatch: (notice) => {
      waiting.push(notice);
      if (isRunning) return;
      isRunning = true;
      try {
        takeAll();
      } finally {
        isRunning = false;
      }
    },
  };
}

/** The result of several notices, one after another: for table tests. */
export function reduceAll<State, Notice, Request>(
  reduce: Reducer<State, Notice, Request>,
  initial: State,
  notices: readonly Notice[],
): Step<State, Request> {
  return notices.reduce<Step<State, Request>>(
    (before, notice) => andThen(before, (state) => reduce(state, notice)),
    step<State, Request>(initial),
  );
}

function makeReport(report: Report, [name, ...args]: ReportCall): void {
  (report[name] as (...given: readonly unknown[]) => void)(...args);
}
