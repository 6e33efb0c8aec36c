import { describe, expect, it } from "vitest";
import { CLOSED, createRpc, type Rpc, RpcError } from "./rpc.ts";

function setUp(): { readonly rpc: Rpc; readonly answer: Promise<unknown> } {
  const rpc = createRpc({ send: () => undefined, onNotice: () => undefined, onAsked: () => undefined });
  const answer = rpc.request("work", {}).catch((error: unknown) => error);
  return { rpc, answer };
}

describe("the answer to a request", () => {
  it.each([
    ['{"code":-32000,"message":"boom"}', -32000, "boom"],
    ['{"code":"ECONNRESET","message":"boom"}', -32603, "boom"],
    ['{"code":"ECONNRESET"}', -32603, "ECONNRESET"],
    ['{"message":"boom"}', -32603, "boom"],
    ['{"code":0,"message":"boom"}', -32603, "boom"],
    ['{"code":-0,"message":"boom"}', -32603, "boom"],
    ['"boom"', -32603, "boom"],
    ["{}", -32603, ""],
    ["[]", -32603, "[]"],
    ["true", -32603, "true"],
    ["0", -32603, "0"],
    ["false", -32603, "false"],
  ])("rejects for the error %s, and is never taken for a closed connection", async (error, code, message) => {
    const { rpc, answer } = setUp();
    expect(rpc.take(`{"jsonrpc":"2.0","id":1,"error":${error}}`)).toBe(true);
    // Only what is still awaited fails with this.
    rpc.close("closed too early");
    const got = await answer;
    expect(got).toBeInstanceOf(RpcError);
    expect(got).toMatchObject({ code, message });
  });

  it("is a result if its error is null", async () => {
    const { rpc, answer } = setUp();
    rpc.take('{"jsonrpc":"2.0","id":1,"error":null,"result":{"a":1}}');
    expect(await answer).toEqual({ a: 1 });
  });

  it("rejects as closed only when the connection closes", async () => {
    const { rpc, answer } = setUp();
    rpc.close("the program ended");
    expect(await answer).toMatchObject({ code: CLOSED, message: "the program ended" });
  });
});
