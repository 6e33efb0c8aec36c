import { useNow } from "../../lib/now.ts";
import { useWidth } from "../../lib/use-width.ts";
import { drawWindow, type RateWindow } from "./rate-windows.ts";

const HEIGHT = 34;
/** Space for the label at the reset. */
const RIGHT = 40;
const MINUTE = 60_000;

/** How a window filled, and the projection until it resets. The row beside it says the same in words. */
export function WindowChart({ window }: { readonly window: RateWindow }) {
  const [ref, wide] = useWidth(480);
  const now = useNow((time) => Math.floor(time / MINUTE) * MINUTE);
  const width = Math.max(1, wide - RIGHT);
  const picture = drawWindow(window, { now, width, height: HEIGHT });
  const line = picture.past.map(({ x, y }) => `${x},${y}`).join(" ");
  const isBad = picture.emptyFrom !== null;
  return (
    <div ref={ref} className={isBad ? "window-chart window-chart-bad" : "window-chart"} aria-hidden="true">
      <svg height={HEIGHT + 2} role="presentation">
        <path className="window-frame" d={`M0 0H${width}M0 ${HEIGHT}H${width}`} />
        <polygon points={`${picture.past[0]?.x ?? 0},${HEIGHT} ${line} ${picture.now},${HEIGHT}`} />
        <polyline points={line} />
        {picture.emptyFrom === null ? null : (
          <rect
            x={picture.emptyFrom}
            width={Math.max(0, (picture.reset ?? width) - picture.emptyFrom)}
            height={HEIGHT}
          />
        )}
        {picture.ahead === null ? null : (
          <line
            className="window-ahead"
            x1={picture.now}
            y1={picture.past.at(-1)?.y ?? HEIGHT}
            x2={picture.ahead.x}
            y2={picture.ahead.y}
          />
        )}
        <line className="window-now" x1={picture.now} x2={picture.now} y2={HEIGHT} />
        {picture.reset === null ? null : (
          <>
            <line className="window-reset" x1={picture.reset} x2={picture.reset} y2={HEIGHT} />
            <text x={picture.reset + 6} y={HEIGHT / 2} dy="0.32em">
              reset
            </text>
          </>
        )}
      </svg>
    </div>
  );
}
