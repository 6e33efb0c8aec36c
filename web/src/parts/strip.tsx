import "./strip.css";
import { type CSSProperties, memo } from "react";
import { describeStrip } from "../lib/describe-strip.ts";
import { STRIP_HEIGHT, type StripActivity, type StripFrame, stripPaths } from "../lib/strip-geometry.ts";

interface Props {
  readonly activity: StripActivity | undefined;
  readonly frame: StripFrame;
}

/** A session's activity over the frame's time. The axis moves it by `--axis-shift`, so a second costs no rendering. */
export const Strip = memo(function Strip({ activity, frame }: Props) {
  const { width } = frame;
  if (activity === undefined) return <span className="strip" style={{ width }} />;
  const label = describeStrip(activity, frame.to);
  return (
    <svg
      className="strip"
      role="img"
      aria-label={label}
      width={width}
      height={STRIP_HEIGHT}
      style={{ "--strip-width": `${width}px` } as CSSProperties}
    >
      <title>{label}</title>
      <g className="strip-time">
        {stripPaths(activity, frame).map(([kind, d]) => (
          <path key={kind} className={`strip-${kind}`} d={d} />
        ))}
      </g>
    </svg>
  );
});
