/** The name of the cookie; ports share cookies, so each daemon has its own. */
export function cookieName(host: string | undefined): string {
  return `ao_${/:(\d+)$/.exec(host ?? "")?.[1] ?? "80"}`;
}
