/** Where a shortcut works, as grouped in the help. */
export const SCOPES = {
  anywhere: "Anywhere",
  list: "A list",
  session: "A session",
  review: "A review",
  settings: "A configuration file",
} as const;
export type Scope = keyof typeof SCOPES;

interface Entry {
  readonly scope: Scope;
  /** Keys pressed one after another, separated by spaces; Ctrl and Shift belong to the key after them. */
  readonly keys: string;
  readonly text: string;
}

const entry = (scope: Scope, keys: string, text: string): Entry => ({ scope, keys, text });

/** Every shortcut of the dashboard. */
export const SHORTCUTS = {
  palette: entry("anywhere", "Ctrl K", "search or run a command"),
  "new-session": entry("anywhere", "n", "new session"),
  "go-fleet": entry("anywhere", "g f", "Fleet"),
  "go-inbox": entry("anywhere", "g i", "Inbox"),
  "go-projects": entry("anywhere", "g p", "Projects"),
  "go-cost": entry("anywhere", "g c", "Cost"),
  "go-capacity": entry("anywhere", "g a", "Capacity"),
  "go-settings": entry("anywhere", "g s", "Settings"),
  "previous-need": entry("anywhere", "[", "previous that needs you"),
  "next-need": entry("anywhere", "]", "next that needs you"),
  actions: entry("anywhere", ".", "actions here"),
  pause: entry("anywhere", "Shift P", "pause or resume"),
  help: entry("anywhere", "?", "keyboard shortcuts"),
  next: entry("list", "j", "next row"),
  previous: entry("list", "k", "previous row"),
  open: entry("list", "o", "open"),
  filter: entry("list", "/", "filter"),
  window: entry("list", "w", "time window"),
  select: entry("list", "Space", "select several"),
  dismiss: entry("list", "d", "dismiss or snooze"),
  answer: entry("session", "1-9", "first choice, second, ..."),
  message: entry("session", "m", "message"),
  "cancel-message": entry("session", "z", "cancel a queued message"),
  interrupt: entry("session", "i", "interrupt the turn"),
  stop: entry("session", "x", "stop, keeps all work"),
  restore: entry("session", "Shift R", "restore or restart"),
  terminal: entry("session", "t", "terminal"),
  log: entry("session", "l", "log of the failed check"),
  "copy-path": entry("session", "e", "copy the path of the worktree"),
  follow: entry("session", "f", "follow output"),
  comment: entry("review", "c", "comment on line"),
  viewed: entry("review", "v", "mark file viewed"),
  resolve: entry("review", "s", "resolve thread"),
  since: entry("review", "y", "since the last review"),
  split: entry("review", "u", "unified or split"),
  approve: entry("review", "a", "approve"),
  "approve-merge": entry("review", "Shift A", "approve, then merge"),
  "request-changes": entry("review", "r", "request changes"),
  merge: entry("review", "Shift M", "merge"),
  save: entry("settings", "Ctrl S", "save the file"),
} as const satisfies Readonly<Record<string, Entry>>;

export type ShortcutId = keyof typeof SHORTCUTS;

/** The keys of a shortcut, as printed on key caps. */
export function capsOf(id: ShortcutId): readonly string[] {
  return SHORTCUTS[id].keys.split(" ");
}
