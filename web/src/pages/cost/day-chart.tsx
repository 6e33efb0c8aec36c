import { scaleBand, scaleLinear } from "@visx/scale";
import { Bar } from "@visx/shape";
import { formatDate } from "../../lib/time.ts";
import { useWidth } from "../../lib/use-width.ts";
import { type Day, formatTick, type Unit } from "./cost-figures.ts";

const HEIGHT = 300;
const LEFT = 44;
const BOTTOM = 22;

/** One bar per day; today stands out, and a day with unknown cost has a mark instead. */
export function DayChart({ days, unit }: { readonly days: readonly Day[]; readonly unit: Unit }) {
  const [ref, width] = useWidth(800);
  const most = Math.max(...days.map(({ value }) => value ?? 0), 0);
  const x = scaleBand({ domain: days.map(({ day }) => day), range: [LEFT, width], padding: 0.35 });
  const y = scaleLinear({ domain: [0, most === 0 ? 1 : most], range: [HEIGHT - BOTTOM, 8], nice: true });
  const every = Math.max(1, Math.ceil(days.length / Math.max(1, Math.floor(width / 90))));
  const last = days.length - 1;
  return (
    <div ref={ref}>
      <svg height={HEIGHT} role="presentation">
        {y.ticks(3).map((tick) => (
          <g key={tick} transform={`translate(0 ${y(tick)})`}>
            <line className="chart-grid" x1={LEFT} x2={width} />
            <text x={LEFT - 8} dy="0.32em" textAnchor="end">
              {formatTick(tick, unit)}
            </text>
          </g>
        ))}
        {days.map(({ day, value }, index) => {
          const left = x(day) ?? 0;
          const label = index === last ? "today" : (last - index) % every === 0 ? formatDate(`${day}T12:00:00Z`) : null;
          return (
            <g key={day}>
              <Bar
                className={index === last ? "chart-bar-now" : "chart-bar"}
                x={left}
                width={Math.min(x.bandwidth(), 64)}
                y={y(value ?? 0)}
                height={HEIGHT - BOTTOM - y(value ?? 0)}
              />
              {value === null ? (
                <text x={left} y={HEIGHT - BOTTOM - 4}>
                  ?
                </text>
              ) : null}
              {label === null ? null : (
                <text x={left + Math.min(x.bandwidth(), 64) / 2} y={HEIGHT - 4} textAnchor="middle">
                  {label}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </div>
  );
}
