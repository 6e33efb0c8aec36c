/** A built file of the dashboard. */
export interface PageFile {
  readonly body: Uint8Array<ArrayBuffer>;
  /** The same, compressed; null: it does not shrink. */
  readonly gzip: Uint8Array<ArrayBuffer> | null;
  readonly type: string;
  /** Its name contains the hash of its content, so a browser may cache it forever. */
  readonly isImmutable: boolean;
}

/** The built dashboard. It only serves files that existed when it was first read, so no path can escape. */
export interface PageFiles {
  /** By request path, such as `/assets/index-1a2b.js`; null: not found. */
  read(path: string): PageFile | null;
  /** The page that loads everything else; null: the dashboard is not built. */
  shell(): PageFile | null;
}

/** Is this path for people with a browser? Everything but the API, health and metrics is. */
export function isPagePath(path: string): boolean {
  return !/^\/(api|healthz|metrics)(\/|$)/.test(path);
}
