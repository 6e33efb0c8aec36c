/** A repository's address without the password or token in it; the user of an SSH address stays, because it is part of the address. */
export function withoutCredentials(url: string): string {
  const [, scheme = "", userinfo = ""] = /^([a-z][a-z\d+.-]*:\/\/)([^/?#]*)@/i.exec(url) ?? [];
  if (scheme === "") return url;
  const user = /ssh/i.test(scheme) ? userinfo.replace(/:.*$/s, "") : "";
  return scheme + (user === "" ? "" : `${user}@`) + url.slice(scheme.length + userinfo.length + 1);
}
