import Database from "libsql";

/** How large a daemon's log is, and what it says about agents. */
export function readLog(file) {
  const db = new Database(file, { readonly: true });
  try {
    const number = (sql) => Object.values(db.prepare(sql).get())[0] ?? 0;
    const count = (type) => number(`select count(*) from events where type = '${type}'`);
    return {
      bytes: (number("pragma page_count") - number("pragma freelist_count")) * number("pragma page_size"),
      events: number("select count(*) from events"),
      receipts: count("message.accepted"),
      questions: count("agent.asked"),
      ends: count("agent.finished"),
      tokens: number("select sum(json_extract(data, '$.inputTokens')) from events where type = 'agent.used'"),
    };
  } finally {
    db.close();
  }
}
