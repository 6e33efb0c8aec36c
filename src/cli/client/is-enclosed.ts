/** Does this command run in a sandbox? A daemon started there would not know about the others. */
export function isEnclosed(): boolean {
  const sandbox = process.env["AO_SANDBOX"];
  return sandbox !== undefined && sandbox !== "";
}
