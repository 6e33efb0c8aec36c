import type { Issue, Person } from "./model.ts";

type Test = (issue: Issue) => boolean;

/** An invalid query, with Jira's message. */
export class JqlError extends Error {}

const TOKEN = /\s*(?:"((?:[^"\\]|\\.)*)"|(!=|=|\(|\)|,)|([A-Za-z][\w.-]*))/y;

interface Token {
  readonly kind: "text" | "sign" | "word";
  readonly value: string;
}

interface Cursor {
  peek(): Token | undefined;
  isWord(word: string): boolean;
  take(): Token;
  takeSign(sign: string): void;
}

/** Whether an issue matches a query; supports the JQL that `ao` sends. Rejects what Jira would reject. */
export function parseJql(jql: string, me: Person): Test {
  const cursor = createCursor(tokenize(jql));
  const test = readClauses(cursor, me);
  if (cursor.isWord("order")) {
    const words = [cursor.take(), cursor.take(), cursor.take(), cursor.take()].map(({ value }) => value.toLowerCase());
    if (words.join(" ") !== "order by key asc") throw new JqlError(`Cannot order by ${words.join(" ")}.`);
  }
  const left = cursor.peek();
  if (left !== undefined) throw new JqlError(`Expecting either 'OR' or 'AND' but got '${left.value}'.`);
  return test;
}

function createCursor(tokens: readonly Token[]): Cursor {
  let at = 0;
  const take = (): Token => {
    const token = tokens[at];
    if (token === undefined) throw new JqlError("The query ends too early.");
    at += 1;
    return token;
  };
  return {
    take,
    peek: () => tokens[at],
    isWord: (word) => tokens[at]?.kind === "word" && tokens[at]?.value.toLowerCase() === word,
    takeSign: (sign) => {
      const { kind, value } = take();
      if (kind !== "sign" || value !== sign) throw new JqlError(`Expecting '${sign}' but got '${value}'.`);
    },
  };
}

function readClauses(cursor: Cursor, me: Person): Test {
  const tests = [readClause(cursor, me)];
  while (cursor.isWord("and")) {
    cursor.take();
    tests.push(readClause(cursor, me));
  }
  return (issue) => tests.every((test) => test(issue));
}

function readClause(cursor: Cursor, me: Person): Test {
  const next = cursor.peek();
  if (next?.kind === "sign" && next.value === "(") {
    cursor.take();
    const inner = readClauses(cursor, me);
    cursor.takeSign(")");
    return inner;
  }
  const field = cursor.take().value.toLowerCase();
  const operator = cursor.take().value.toLowerCase();
  const wanted = operator === "in" ? readValues(cursor, me) : [readValue(cursor, me)];
  const isIn: Test = (issue) => fieldOf(issue, field).some((one) => wanted.includes(one));
  return operator === "!=" ? (issue) => !isIn(issue) : isIn;
}

function readValues(cursor: Cursor, me: Person): readonly string[] {
  cursor.takeSign("(");
  const values = [readValue(cursor, me)];
  while (cursor.peek()?.value === ",") {
    cursor.take();
    values.push(readValue(cursor, me));
  }
  cursor.takeSign(")");
  return values;
}

function readValue(cursor: Cursor, me: Person): string {
  const { kind, value } = cursor.take();
  if (kind === "sign") throw new JqlError(`Expecting a value but got '${value}'.`);
  if (kind === "text" || value !== "currentUser") return value;
  cursor.takeSign("(");
  cursor.takeSign(")");
  return me.name;
}

function tokenize(jql: string): readonly Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < jql.trimEnd().length) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(jql);
    if (match === null) throw new JqlError(`Error in the JQL Query at character ${from}.`);
    const [, text, sign, word] = match;
    if (text !== undefined) tokens.push({ kind: "text", value: text.replace(/\\(.)/g, "$1") });
    else tokens.push(sign === undefined ? { kind: "word", value: word ?? "" } : { kind: "sign", value: sign });
  }
  return tokens;
}

function fieldOf(issue: Issue, field: string): readonly string[] {
  if (field === "project") return [issue.key.slice(0, issue.key.lastIndexOf("-"))];
  if (field === "statuscategory")
    return [{ new: "To Do", indeterminate: "In Progress", done: "Done" }[issue.status.category]];
  if (field === "status") return [issue.status.name];
  if (field === "labels") return issue.labels;
  if (field === "assignee") return issue.assignee === null ? [] : [issue.assignee.accountId, issue.assignee.name];
  throw new JqlError(`Field '${field}' does not exist or you do not have permission to view it.`);
}
