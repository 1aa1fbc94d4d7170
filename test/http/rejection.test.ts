import { expect, test } from "bun:test";
import { rejectionLine, rejectionText } from "#http/rejection.ts";
import { bytesOf, textOf } from "../support/bytes.ts";

const lineOf = (text: string) => ({ bytes: bytesOf(text), size: text.length, skim: undefined });
const asked = lineOf('{"jsonrpc":"2.0","id":1.0,"method":"x"}');

test.each([
  ["a text", "Down for\nmaintenance"],
  ["nothing", ""],
  ["HTML", "<p>no</p>"],
  ["an error for no id", '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"no"}}'],
])("%s is an error of the request whose message is the text", (_name, text) => {
  const line = rejectionLine(lineOf(text), asked, 503);
  expect(textOf(line?.bytes)).toBe(
    `{"jsonrpc":"2.0","id":1.0,"error":${JSON.stringify({ code: 503, message: text })}}\n`,
  );
  expect(line?.size).toBe(text.length);
});

test("an error of JSON-RPC with an id is itself", () => {
  const body = lineOf('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}');
  expect(rejectionLine(body, asked, 404)).toBe(body);
  const all = { jsonrpc: "2.0", id: 1, error: { code: 404, message: textOf(body.bytes) } };
  expect(JSON.parse(textOf(rejectionText(body, asked, 404)?.bytes))).toEqual(all);
});

test("a body that is too long to be kept is none", () => {
  const body = { bytes: undefined, size: 9e6, skim: undefined };
  expect(rejectionLine(body, asked, 500)).toBeUndefined();
  expect(rejectionText(body, asked, 500)).toBeUndefined();
});
