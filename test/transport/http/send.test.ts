import { expect, test } from "bun:test";
import { parseEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import { send } from "#transport/http/relay.ts";
import { startScriptedServer } from "../../support/scripted-http-server.ts";
import { bytesOf } from "../../support/bytes.ts";
import { RawHttpServer } from "../../support/raw-http-server.ts";

const request = {
  url: new URL("http://127.0.0.1:1/mcp?a=1"),
  method: "POST",
  headers: new Headers({ "accept-encoding": "gzip", "x-own": "1" }),
};
const { signal } = new AbortController();

test.each([
  [true, "identity"],
  [false, "gzip"],
])("sends the request; where it is gated (%p), the coding is %s", async (isGated, coding) => {
  using server = await startScriptedServer((_got, response) => void response.end("Hi"));
  const sending = { request, body: bytesOf("body"), signal, isGated };
  const answer = await send(parseEndpoint(server.url), sending);
  expect("reason" in answer ? answer.reason : await new Response(answer.body).text()).toBe("Hi");
  const [got] = server.got;
  expect([got?.request.method, got?.request.url, got?.body.toString()]).toEqual([
    "POST",
    "/mcp?a=1",
    "body",
  ]);
  expect(got?.request.headers).toMatchObject({ "accept-encoding": coding, "x-own": "1" });
});

test("says why there is no answer", async () => {
  const server = await startScriptedServer((_got, response) => void response.end());
  server[Symbol.dispose]();
  const sending = { request, body: undefined, signal, isGated: false };
  expect(await send(parseEndpoint(server.url), sending)).toEqual({ reason: "ECONNREFUSED" });
});

test.each([600, 999])("status %d, which no answer can have, is no answer", async (status) => {
  using server = await RawHttpServer.start(() => ({
    parts: [`HTTP/1.1 ${status} Odd\r\nContent-Length: 1\r\n\r\nx`],
  }));
  const sending = { request, body: undefined, signal, isGated: false };
  const answer = await send(parseEndpoint(server.url), sending);
  expect(answer).toEqual({ reason: expect.stringContaining(`status ${status}`) });
});
