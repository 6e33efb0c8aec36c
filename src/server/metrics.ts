/** The durations of calls: their count, their sum, and how many were within each bound. */
interface Histogram {
  count: number;
  seconds: number;
  readonly within: number[];
}

/** Seconds; long-polling calls fall into the last ones. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30] as const;

export interface Metrics {
  /** Records one answered call. */
  observe(call: string, status: number, seconds: number): void;
  render(): string;
}

type Labels = Readonly<Record<string, string>>;

/** A current value, by its labels. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly type: "gauge" | "counter";
  readonly values: readonly (readonly [Labels, number])[];
}

/**
 * Metrics in Prometheus text format. Written by hand rather than with a library: it is a counter, a histogram and a few
 * gauges that are read on demand.
 */
export function createMetrics(readGauges: () => readonly Gauge[]): Metrics {
  const calls = new Map<string, Histogram>();
  const answers = new Map<string, number>();
  return {
    observe: (call, status, seconds) => {
      const histogram = calls.get(call) ?? { count: 0, seconds: 0, within: BOUNDS.map(() => 0) };
      histogram.count += 1;
      histogram.seconds += seconds;
      for (const [index, bound] of BOUNDS.entries()) if (seconds <= bound) histogram.within[index]! += 1;
      calls.set(call, histogram);
      const key = `${call}\n${status}`;
      answers.set(key, (answers.get(key) ?? 0) + 1);
    },
    render: () => [...readGauges(), countAnswers(answers)].map(renderGauge).join("") + renderHistogram(calls),
  };
}

function countAnswers(answers: ReadonlyMap<string, number>): Gauge {
  const values = [...answers].map(([key, value]) => {
    const [call = "", status = ""] = key.split("\n");
    return [{ call, status }, value] as const;
  });
  return { name: "ao_http_requests_total", help: "Answered calls of the API.", type: "counter", values };
}

function renderGauge({ name, help, type, values }: Gauge): string {
  const lines = values.map(([labels, value]) => `${name}${renderLabels(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function renderHistogram(calls: ReadonlyMap<string, Histogram>): string {
  const name = "ao_http_request_duration_seconds";
  const lines = [...calls].flatMap(([call, { count, seconds, within }]) => [
    ...BOUNDS.map((bound, index) => `${name}_bucket${renderLabels({ call, le: String(bound) })} ${within[index]}\n`),
    `${name}_bucket${renderLabels({ call, le: "+Inf" })} ${count}\n`,
    `${name}_sum${renderLabels({ call })} ${seconds}\n`,
    `${name}_count${renderLabels({ call })} ${count}\n`,
  ]);
  return `# HELP ${name} How long calls of the API took.\n# TYPE ${name} histogram\n${lines.join("")}`;
}

function renderLabels(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
