/** Texts that a careless path from keyboard to agent would change. */
export const TEXTS: Readonly<Record<string, string>> = {
  "one word": "hello",
  "several lines": "one\n\n  three\n",
  "newlines at both ends": "\n\nx\n\n\n",
  "line ends of Windows": "one\r\ntwo\r\n",
  quotes: 'it\'s "quoted" `too` \\ $HOME %s \\n {{errors}} #{pane_dead}',
  "a dash in front": "- first item",
  "a flag in front": "--force is not an option here",
  tabs: "\tindented\tby tabs\t",
  spaces: "  two before, two after  ",
  emoji: "👩‍👩‍👧‍👦 🇩🇪 done ✅",
  "other scripts": "שלום 你好 ﷽ Ǆ",
  "combining marks": "\u0301 alone, e\u0301 and \u00e9",
  "line separators": "a\u2028b\u2029c\u0085d",
  "byte order mark": "\ufeffmarked\ufeff",
  "control characters": "\u0001\u001b[31mred\u001b[0m\u0007\u007f\u009b\u001b[201~",
  "a replacement character": "really \ufffd",
  json: '{"type":"answer","id":"x","choice":"y"}',
};

/** Only files and pipes can carry this: an argument ends at a NUL. */
export const UNTYPABLE: Readonly<Record<string, string>> = { "a NUL": "before\u0000after" };

export const MIB = 1024 * 1024;

/** Texts of exactly 1 MiB, of characters of one, two, three and four bytes, and of those that JSON makes six times as long. */
export function largest(): Readonly<Record<string, string>> {
  return {
    "of one byte": "x".repeat(MIB),
    "of two bytes": "é".repeat(MIB / 2),
    "of three bytes": `${"語".repeat((MIB - 1) / 3)}!`,
    "of four bytes": "🙂".repeat(MIB / 4),
    "that JSON escapes": "\u0001".repeat(MIB),
  };
}
