import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The process that listens on a local TCP port, such as `node (pid 4711)`; null if unknown. */
export function findPortHolder(port: number): string | null {
  const sockets = new Set(["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) => listeners(table, port)));
  if (sockets.size === 0) return null;
  const pid = read(() => readdirSync("/proc"), [])
    .filter((name) => /^\d+$/.test(name))
    .find((name) => holdsOne(name, sockets));
  if (pid === undefined) return null;
  const name = read(() => readFileSync(`/proc/${pid}/comm`, "utf8").trim(), "");
  return `${name === "" ? "a program" : name} (pid ${pid})`;
}

// Columns of the kernel's table: 1 is address:port in hexadecimal, 3 the state (0A listens), 9 the inode.
function listeners(table: string, port: number): readonly string[] {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const rows = read(() => readFileSync(table, "utf8"), "").split("\n");
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter((columns) => columns[1]?.endsWith(wanted) === true && columns[3] === "0A")
    .map((columns) => `socket:[${columns[9]}]`);
}

function holdsOne(pid: string, sockets: ReadonlySet<string>): boolean {
  const folder = `/proc/${pid}/fd`;
  return read(() => readdirSync(folder), []).some((fd) => sockets.has(read(() => readlinkSync(`${folder}/${fd}`), "")));
}

// Processes come and go, and other users' processes cannot be read.
function read<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
