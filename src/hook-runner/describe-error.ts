/** One line about what a module threw; a bug comes with its place in the code, `throw new Error("reason")` without. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { name, message } = error;
  if (name === "Error" && message !== "") return message;
  const place = /\(?((?:file:\/\/)?\/[^\s()]+:\d+:\d+)\)?/.exec(error.stack ?? "")?.[1]?.replace("file://", "");
  const what = message === "" ? name : `${name}: ${message}`;
  return place === undefined ? what : `${what} (${place})`;
}
