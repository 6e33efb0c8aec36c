import { scaleLog } from "@visx/scale";
import { useWidth } from "../../lib/use-width.ts";
import { formatTick, type Unit } from "./cost-figures.ts";
import { stackDots } from "./stack-dots.ts";

const HEIGHT = 300;
const BOTTOM = 22;
const DOT = 10;

/** One dot per pull request on a logarithmic axis, because a few cost many times the others. */
export function DotChart({ values, median, unit }: DotChartProps) {
  const [ref, width] = useWidth(500);
  const known = values.filter((value) => value > 0);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const x = scaleLog({ base: 2, domain: [least / 1.5, most * 1.5], range: [DOT, width - DOT] });
  const dots = stackDots(
    known.map((value) => x(value)),
    DOT,
  );
  const floor = HEIGHT - BOTTOM;
  const step = Math.min(DOT, (floor - 40) / Math.max(1, ...dots.map(({ level }) => level + 1)));
  return (
    <div ref={ref}>
      <svg height={HEIGHT} role="presentation">
        <line className="chart-axis" x1={0} x2={width} y1={floor} y2={floor} />
        {dots.map(({ x: at, level }) => (
          <circle key={`${at}/${level}`} className="chart-bar" cx={at} cy={floor - 6 - level * step} r={4} />
        ))}
        {[least, median, most].map((value, index) => (
          <text
            key={value}
            x={x(value)}
            y={HEIGHT - 4}
            textAnchor={index === 1 ? "middle" : index === 0 ? "start" : "end"}
          >
            {index === 1 ? null : formatTick(round(value, unit), unit)}
          </text>
        ))}
        <line className="chart-mark" x1={x(median)} x2={x(median)} y1={24} y2={floor} />
        <text className="chart-label" x={x(median) + 6} y={32}>
          median {formatTick(round(median, unit), unit)}
        </text>
      </svg>
    </div>
  );
}

interface DotChartProps {
  readonly values: readonly number[];
  readonly median: number;
  readonly unit: Unit;
}

function round(value: number, unit: Unit): number {
  return unit === "money" ? Math.round(value * 100) / 100 : Math.round(value);
}
