/** A node of Atlassian's document format, as far as it is used here. */
export interface AdfNode {
  readonly type: string;
  readonly text?: string;
  readonly attrs?: Readonly<Record<string, unknown>>;
  readonly marks?: readonly { readonly type: string; readonly attrs?: Readonly<Record<string, unknown>> }[];
  readonly content?: readonly AdfNode[];
}

/** A text as a document: paragraphs, lines, `code` and [links](url); everything else stays as written. */
export function toAdf(text: string): AdfNode & { readonly version: 1 } {
  const content = text === "" ? [] : text.split("\n\n").map((part) => ({ type: "paragraph", content: linesOf(part) }));
  return { type: "doc", version: 1, content };
}

function linesOf(part: string): readonly AdfNode[] {
  return part
    .split("\n")
    .flatMap((line, index) => [...(index === 0 ? [] : [{ type: "hardBreak" }]), ...inlineOf(line)]);
}

const INLINE = /`([^`]+)`|\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)/g;

function inlineOf(line: string): readonly AdfNode[] {
  const nodes: AdfNode[] = [];
  let from = 0;
  const plain = (to: number): void => {
    if (to > from) nodes.push({ type: "text", text: line.slice(from, to) });
  };
  for (const match of line.matchAll(INLINE)) {
    const [all, code, label, href] = match;
    plain(match.index);
    from = match.index + all.length;
    if (code !== undefined) nodes.push({ type: "text", text: code, marks: [{ type: "code" }] });
    else nodes.push({ type: "text", text: label ?? "", marks: [{ type: "link", attrs: { href } }] });
  }
  plain(line.length);
  return nodes;
}

/** A document as Markdown; omits content without text, such as pictures. */
export function fromAdf(node: AdfNode): string {
  return (WRITERS[node.type] ?? blocks)(node);
}

const WRITERS: Readonly<Record<string, (node: AdfNode) => string>> = {
  text: (node) => (node.marks ?? []).reduce(marked, node.text ?? ""),
  hardBreak: () => "\n",
  rule: () => "---",
  paragraph: inline,
  caption: inline,
  heading: (node) => `${"#".repeat(Number(node.attrs?.["level"] ?? 1))} ${inline(node)}`,
  codeBlock: (node) => `\`\`\`${String(node.attrs?.["language"] ?? "")}\n${inline(node)}\n\`\`\``,
  blockquote: (node) => indent(blocks(node), "> ", "> "),
  bulletList: (node) => listOf(node, () => "- "),
  orderedList: (node) => listOf(node, (index) => `${index + 1}. `),
  taskList: (node) => listOf(node, () => "- "),
  decisionList: (node) => listOf(node, () => "- "),
  taskItem: (node) => `[${node.attrs?.["state"] === "DONE" ? "x" : " "}] ${inline(node)}`,
  decisionItem: inline,
  tableRow: (node) => `| ${(node.content ?? []).map((cell) => blocks(cell).replace(/\n+/g, " ")).join(" | ")} |`,
  table: (node) => (node.content ?? []).map(fromAdf).join("\n"),
  mention: (node) => String(node.attrs?.["text"] ?? ""),
  emoji: (node) => String(node.attrs?.["text"] ?? node.attrs?.["shortName"] ?? ""),
  inlineCard: (node) => String(node.attrs?.["url"] ?? ""),
  blockCard: (node) => String(node.attrs?.["url"] ?? ""),
  status: (node) => String(node.attrs?.["text"] ?? ""),
  date: (node) => new Date(Number(node.attrs?.["timestamp"])).toISOString().slice(0, 10),
};

function inline(node: AdfNode): string {
  return (node.content ?? []).map(fromAdf).join("");
}

function blocks(node: AdfNode): string {
  return (node.content ?? []).map(fromAdf).join("\n\n");
}

function listOf(node: AdfNode, bullet: (index: number) => string): string {
  return (node.content ?? []).map((item, index) => indent(fromAdf(item), bullet(index), "  ")).join("\n");
}

function indent(text: string, first: string, others: string): string {
  return text
    .split("\n")
    .map((line, index) => (index === 0 ? `${first}${line}` : line === "" ? line : `${others}${line}`))
    .join("\n");
}

function marked(text: string, { type, attrs }: { readonly type: string; readonly attrs?: AdfNode["attrs"] }): string {
  if (type === "code") return `\`${text}\``;
  if (type === "strong") return `**${text}**`;
  if (type === "em") return `_${text}_`;
  return type === "link" ? `[${text}](${String(attrs?.["href"] ?? "")})` : text;
}
