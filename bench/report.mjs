import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";

const HEADINGS = ["measure", "value", "floor", "against the floor", "aim", "met"];

/** Everything needed to judge the numbers later. */
export function toResult(lines, loadBefore) {
  return {
    date: new Date().toISOString(),
    version: JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version,
    machine: {
      cores: cpus().length,
      model: cpus()[0]?.model ?? "unknown",
      memoryGiB: Math.round(totalmem() / 1024 ** 3),
      node: process.version,
      git: execFileSync("git", ["--version"], { encoding: "utf8" }).trim().replace("git version ", ""),
      system: `${process.platform} ${process.arch}`,
      load: { before: loadBefore, after: loadavg()[0] },
    },
    lines: lines.map(judge),
  };
}

/** Adds ratio, difference and whether the aim was met. */
function judge(line) {
  if (!Number.isFinite(line.value)) throw new Error(`${line.name}: ${line.value} is not a result`);
  if (line.aim == null) throw new Error(`${line.name} has no aim`);
  const hasFloor = line.floor !== null;
  const ratio = hasFloor ? line.value / line.floor : null;
  const difference = hasFloor ? line.value - line.floor : null;
  const measured = { value: line.value, ratio, difference };
  const { on, atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY } = line.aim;
  return { ...line, ratio, difference, met: measured[on] <= atMost && measured[on] >= atLeast };
}

/** The result as a table for a terminal. */
export function renderText(result) {
  const rows = [HEADINGS, ...result.lines.map(toCells)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const text = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join("  ")
      .trimEnd(),
  );
  return `${describe(result)}\n\n${text.join("\n")}\n`;
}

/** The result as Markdown, for docs/reference/bench.md. */
export function renderMarkdown(result) {
  const rows = [HEADINGS, HEADINGS.map(() => "---"), ...result.lines.map(toCells)];
  return `${describe(result)}\n\n${rows.map((row) => `| ${row.join(" | ")} |`).join("\n")}\n`;
}

function describe({ date, version, machine }) {
  const { cores, model, memoryGiB, node, git, system, load } = machine;
  const program = `ao ${version}, Node ${node.slice(1)}, git ${git}`;
  const computer = `${cores} cores (${model}), ${memoryGiB} GiB, ${system}`;
  const busy = `load average ${load.before.toFixed(1)} before and ${load.after.toFixed(1)} after`;
  return `${date.slice(0, 10)}: ${program}; ${computer}; ${busy}.`;
}

function toCells(line) {
  return [
    line.name,
    format(line.value, line.unit),
    line.floor === null ? "-" : `${format(line.floor, line.unit)} (${line.floorName})`,
    against(line),
    line.aim === null ? "-" : aimText(line),
    line.met === null ? "-" : line.met ? "yes" : "no",
  ];
}

function against(line) {
  if (line.floor === null) return "-";
  if (line.aim?.on === "difference") return `${line.difference < 0 ? "" : "+"}${format(line.difference, line.unit)}`;
  return `${line.ratio.toFixed(2)}x`;
}

function aimText({ aim, unit }) {
  if (aim.on === "ratio") return `<= ${aim.atMost}x`;
  if (aim.atLeast !== undefined) return `>= ${aim.atLeast} ${unit}`.trimEnd();
  return `<= ${aim.on === "difference" ? "+" : ""}${aim.atMost} ${unit}`.trimEnd();
}

function format(value, unit) {
  if (unit === "") return String(value);
  const size = Math.abs(value);
  const digits = unit === "s" || size < 10 ? 2 : size < 100 ? 1 : 0;
  return `${value.toFixed(digits)} ${unit}`;
}
