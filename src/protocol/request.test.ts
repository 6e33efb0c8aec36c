import { describe, expect, it } from "vitest";
import { buildRequest, readAnswer, toQuery } from "./request.ts";

describe("a call as a request", () => {
  it("escapes user input in the path", () => {
    expect(buildRequest("GET /api/sessions/:id", { id: "a/b #?" }, undefined).path).toBe(
      "/api/sessions/a%2Fb%20%23%3F",
    );
  });

  it("puts the input of a GET into the query, otherwise into the body", () => {
    expect(buildRequest("GET /api/sessions", {}, { project: "a&b", all: true })).toEqual({
      method: "GET",
      path: "/api/sessions?project=a%26b&all=true",
    });
    expect(buildRequest("DELETE /api/sessions/:id", { id: "s" }, { wait: true })).toEqual({
      method: "DELETE",
      path: "/api/sessions/s",
      body: '{"wait":true}',
    });
  });

  it.each(["", ".", ".."])("rejects %j as a session id", (id) => {
    expect(() => buildRequest("GET /api/sessions/:id", { id }, undefined)).toThrow("nothing is named");
  });

  it("omits unset values from a query", () => {
    expect(toQuery({ a: undefined, b: 0 })).toBe("?b=0");
    expect(toQuery(undefined)).toBe("");
  });
});

describe("an answer", () => {
  it("returns its value", () => {
    expect(readAnswer({ status: 201, text: '{"id":"s"}' })).toEqual({ id: "s" });
  });

  it("becomes an error with the daemon's code and hint", () => {
    const text = JSON.stringify({ status: 404, code: "session-unknown", detail: "no session x", hint: "ao list" });
    expect(() => readAnswer({ status: 404, text })).toThrow(
      expect.objectContaining({ code: "session-unknown", message: "no session x", hint: "ao list" }),
    );
  });

  it("without a reason still becomes an error", () => {
    expect(() => readAnswer({ status: 502, text: "<html>" })).toThrow("answered 502");
  });
});
