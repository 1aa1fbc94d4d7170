import { expect, test } from "bun:test";
import {
  makeGatewayError,
  makeReplyAnswer,
  makeTextAnswer,
  makeUnreachableAnswer,
} from "#transport/http/own-answers.ts";
import { bytesOf } from "../../support/bytes.ts";

const toLine = (text: string) => {
  const bytes = bytesOf(text);
  return { bytes, size: bytes.length, skim: undefined };
};

test("makeTextAnswer is a line of text", async () => {
  const answer = makeTextAnswer(403, "No");
  expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
    403,
    "text/plain; charset=utf-8",
    "No\n",
  ]);
});

test.each([
  ['{"jsonrpc":"2.0","id":9007199254740993,"method":"x"}', "9007199254740993"],
  ['{"jsonrpc":"2.0","id":"a\\u00e9","method":"x"}', '"a\\u00e9"'],
  ['{"jsonrpc":"2.0","method":"x"}', "null"],
  ["not json", "null"],
])("makeUnreachableAnswer to %s has its id as it was written", async (text, id) => {
  const answer = makeUnreachableAnswer(toLine(text), "http://host/mcp", "ECONNREFUSED");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([502, "application/json"]);
  const body = await answer.text();
  expect(body).toContain(`"id":${id},`);
  const message = "mcp-meter: Cannot reach http://host/mcp: connection refused (ECONNREFUSED)";
  expect(JSON.parse(body).error).toEqual({ code: -31_901, message });
});

test("makeUnreachableAnswer without a message has no id", async () => {
  const body = await makeUnreachableAnswer(undefined, "http://host/", "x").text();
  expect(JSON.parse(body).id).toBeNull();
});

test("makeGatewayError is an error with the id of the request", async () => {
  const answer = makeGatewayError(toLine('{"jsonrpc":"2.0","id":7,"method":"x"}'), "It broke");
  expect(answer.status).toBe(502);
  const error = { code: -31_901, message: "mcp-meter: It broke" };
  expect(await answer.json()).toEqual({ jsonrpc: "2.0", id: 7, error });
});

test("makeReplyAnswer has our lines, or nothing", async () => {
  const reply = makeReplyAnswer(bytesOf("{}\n"));
  expect([reply.status, reply.headers.get("content-type"), await reply.text()]).toEqual([
    200,
    "application/json",
    "{}\n",
  ]);
  expect(makeReplyAnswer(undefined).status).toBe(202);
});
