/** A file of the dashboard as it was built. */
export interface PageFile {
  readonly body: Uint8Array<ArrayBuffer>;
  /** The same, compressed; null: it does not shrink. */
  readonly gzip: Uint8Array<ArrayBuffer> | null;
  readonly type: string;
  /** Its name holds the hash of its content, so a browser may keep it for good. */
  readonly isImmutable: boolean;
}

/** The built dashboard. Only files that were there when it was first read can be had, so no path leads anywhere else. */
export interface PageFiles {
  /** By the path of the request, such as `/assets/index-1a2b.js`; null: there is none. */
  read(path: string): PageFile | null;
  /** The page that loads everything else; null: the dashboard is not built. */
  shell(): PageFile | null;
}

/** Is this address for people with a browser? Everything but the API, health and metrics is. */
export function isPagePath(path: string): boolean {
  return !/^\/(api|healthz|metrics)(\/|$)/.test(path);
}
