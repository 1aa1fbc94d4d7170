import { expect, test } from "bun:test";
import {
  makeGatewayError,
  makeMessagesAnswer,
  makeTextAnswer,
} from "#transport/http/our-answers.ts";
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
])("makeGatewayError to %s has its id as it was written", async (text, id) => {
  const answer = makeGatewayError(toLine(text), "It broke");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([502, "application/json"]);
  const body = await answer.text();
  expect(body).toContain(`"id":${id},`);
  expect(JSON.parse(body).error).toEqual({ code: -31_901, message: "mcp-meter: It broke" });
});

test("makeGatewayError without a message has no id", async () => {
  const body = await makeGatewayError(undefined, "x").text();
  expect(JSON.parse(body).id).toBeNull();
});

test("makeMessagesAnswer has our lines, or nothing", async () => {
  const reply = makeMessagesAnswer(bytesOf("{}\n"));
  expect([reply.status, reply.headers.get("content-type"), await reply.text()]).toEqual([
    200,
    "application/json",
    "{}\n",
  ]);
  expect(makeMessagesAnswer(undefined).status).toBe(202);
});
