import { useEffect, useState } from "react";

const DELAY_MS = 300;
const GROUPS = [
  ["Needs you", 4, "skeleton-need"],
  ["In review", 6, ""],
  ["Working", 9, ""],
] as const;

/** The columns of every row. */
const COLUMNS = ["row-mark", "row-id", "row-title", "row-evidence", "row-agent", "row-cost", "row-age"] as const;

/** The page before its data is loaded: empty at first, then its headings. */
export function Skeleton() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return <main className="fleet" aria-busy="true" />;
  return (
    <main className="fleet" aria-busy="true">
      <h1 className="visually-hidden">Fleet</h1>
      <div className="vitals">
        {["need you", "agents", "in review", "merged today", "today", "main"].map((label) => (
          <div key={label} className="vital">
            <span className="vital-figure ink-2">
              <i className="bone" /> {label}
            </span>
          </div>
        ))}
      </div>
      <div className="list skeleton">
        {GROUPS.map(([title, count, kind]) => (
          <section key={title}>
            <h2 className="row group-header strong">{title}</h2>
            {Array.from({ length: count }, (_, n) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are alike
              <div key={n} className={`row ${kind}`}>
                {COLUMNS.map((column) => (
                  <i key={column} className={`bone ${column}`} />
                ))}
              </div>
            ))}
          </section>
        ))}
      </div>
      <FooterPlace />
    </main>
  );
}

/** Placeholder for the footer. */
export function FooterPlace() {
  return <footer className="bar fleet-footer micro ink-3">loading from {location.host}</footer>;
}
