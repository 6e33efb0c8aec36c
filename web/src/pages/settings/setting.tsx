import type { ReactNode } from "react";

interface Props {
  readonly name: string;
  readonly about?: string;
  readonly children: ReactNode;
}

/** One setting: its name and what it means on the left, its controls on the right. */
export function Setting({ name, about, children }: Props) {
  return (
    <div className="setting">
      <div className="setting-about">
        <span className="strong">{name}</span>
        {about === undefined ? null : <span className="small ink-3">{about}</span>}
      </div>
      <div className="setting-controls">{children}</div>
    </div>
  );
}
