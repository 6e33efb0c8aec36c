interface Seen {
  readonly program: string;
  readonly unlisted?: string;
  readonly isMerged?: boolean;
  readonly isNewest: boolean;
}

type Programs = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function makeTable(
  facts: readonly Seen[],
  versions: { readonly pinned: Programs; readonly newest: Programs },
): string;
export function readTable(page: string): string | null;
