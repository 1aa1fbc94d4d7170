import { describe, expect, test } from "bun:test";
import { parseEndpoint } from "#endpoint/mcp-endpoint.ts";
import { Leaving } from "#http1/leaving.ts";
import { askerFor } from "#http-client/server-asker.ts";
import { send } from "#http/send.ts";
import { awkwardServer } from "../support/awkward-server.ts";
import { bytesOf, textOf } from "../support/bytes.ts";
import { drained } from "../support/chunked.ts";
import { RawHttpServer } from "../support/raw-http-server.ts";

const request = {
  method: "POST",
  headers: new Headers({ "accept-encoding": "gzip", "x-own": "1" }),
};
const asked = new URL("http://127.0.0.1:1/mcp?a=1");

/** The way to whichever server is asked. */
function askByPath(...[outgoing]: Parameters<ReturnType<typeof askerFor>["ask"]>) {
  return askerFor(outgoing.url, {}, () => 0).ask(outgoing);
}

function sending(body: Uint8Array | undefined, isGated = false) {
  return { ask: askByPath, request, asked, body, leaving: new Leaving(), isGated };
}

describe("send", () => {
  test.each([
    [true, "identity"],
    [false, "gzip"],
  ])("sends the request; where it is gated (%p), the coding is %s", async (isGated, coding) => {
    using server = await awkwardServer((_got, response) => void response.end("Hi"));
    const answer = await send(parseEndpoint(server.url), sending(bytesOf("body"), isGated));
    if ("reason" in answer || !answer.body) throw new Error("there is no answer");
    expect(textOf((await drained(answer.body))[0])).toBe("Hi");
    const [got] = server.got;
    expect([got?.request.method, got?.request.url, got?.body.toString()]).toEqual([
      "POST",
      "/mcp?a=1",
      "body",
    ]);
    expect(got?.request.headers).toMatchObject({ "accept-encoding": coding, "x-own": "1" });
  });

  test("says why there is no answer", async () => {
    const server = await awkwardServer((_got, response) => void response.end());
    server[Symbol.dispose]();
    const answer = await send(parseEndpoint(server.url), sending(undefined));
    expect(answer).toEqual({ reason: "ECONNREFUSED" });
  });

  test.each([600, 999])("status %d, which no answer can have, is no answer", async (status) => {
    using server = await RawHttpServer.start(() => ({
      parts: [`HTTP/1.1 ${status} Odd\r\nContent-Length: 1\r\n\r\nx`],
    }));
    const answer = await send(parseEndpoint(server.url), sending(undefined));
    expect(answer).toEqual({ reason: expect.stringContaining(`status ${status}`) });
  });
});
