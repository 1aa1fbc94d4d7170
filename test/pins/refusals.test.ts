import { expect, test } from "bun:test";
import { errorLine, refusalCode, refusedError, refusedResult, resultLine } from "#wire/refusal.ts";
import { textOf } from "../support/bytes.ts";

/** What a client sees instead of an answer, byte by byte. */

const data = {
  source: "mcp-meter",
  reason: "answer_over_budget",
  tool: "search",
  limit: 2_000,
  spent: 0,
  tokens: 2_500,
  per: "call",
} as const;

test("our code is outside of what JSON-RPC and MCP keep for themselves", () => {
  expect(refusalCode).toBe(-31_900);
  expect(refusalCode < -32_768 || refusalCode > -32_000).toBe(true);
});

test("a tool's refusal of each era", () => {
  expect(textOf(resultLine("7", refusedResult("No", false)))).toBe(
    '{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"No"}],"isError":true}}\n',
  );
  expect(textOf(resultLine('"a"', refusedResult("No", true)))).toBe(
    '{"jsonrpc":"2.0","id":"a","result":{"resultType":"complete","content":[{"type":"text","text":"No"}],"isError":true}}\n',
  );
});

test("a refusal as an error", () => {
  expect(textOf(errorLine("1.0", refusedError("No", data)))).toBe(
    '{"jsonrpc":"2.0","id":1.0,"error":{"code":-31900,"message":"No","data":{"source":"mcp-meter","reason":"answer_over_budget","tool":"search","limit":2000,"spent":0,"tokens":2500,"per":"call"}}}\n',
  );
});

for (const rawId of ["9007199254740993", "1.0", "1e2", '""', '"\\u0061"']) {
  test(`the id ${rawId} is given back as it was written`, () => {
    expect(textOf(resultLine(rawId, refusedResult("No", false)))).toContain(`"id":${rawId},`);
  });
}

test("a refusal is one line, whatever its text", () => {
  const line = textOf(resultLine("1", refusedResult('a\nb\u2028"\ud800', false)));
  expect(line.indexOf("\n")).toBe(line.length - 1);
  expect(JSON.parse(line)).toMatchObject({ result: { content: [{ text: 'a\nb\u2028"\ud800' }] } });
});
