import { expect, test } from "bun:test";
import { announcesBody, framingOf, keptSeconds } from "#http-client/body-framing.ts";

type Fields = readonly (readonly [name: string, value: string])[];

const headersOf = (fields: Fields) => {
  const headers = new Headers();
  for (const [name, value] of fields) headers.append(name, value);
  return headers;
};

const chunked = ["transfer-encoding", "Chunked"] as const;
const five = ["content-length", "5"] as const;

test.each([
  ["GET", 200, [five], { kind: "length", bytes: 5 }],
  ["POST", 200, [five, five], { kind: "length", bytes: 5 }],
  ["POST", 200, [["content-length", "0"]], { kind: "length", bytes: 0 }],
  ["POST", 200, [chunked], { kind: "chunked" }],
  ["POST", 200, [], { kind: "connection" }],
  ["POST", 200, [["transfer-encoding", "Identity"]], { kind: "connection" }],
  ["HEAD", 200, [five], { kind: "none" }],
  ["HEAD", 200, [chunked], { kind: "none" }],
  ["GET", 204, [], { kind: "none" }],
  ["GET", 304, [five], { kind: "none" }],
] as const)("%s %d with %j: %j", (method, status, fields, framing) => {
  expect(framingOf(method, { status, headers: headersOf(fields) })).toEqual(framing);
});

test.each([
  [[five, ["content-length", "6"]]],
  [[five, chunked]],
  [[["content-length", "-5"]]],
  [[["content-length", "+5"]]],
  [[["content-length", "5.0"]]],
  [[["content-length", ""]]],
  [[["content-length", "9".repeat(16)]]],
  [[["transfer-encoding", "gzip, chunked"]]],
  [[["transfer-encoding", "identity"], five]],
  [[chunked, chunked]],
] as readonly (readonly [Fields])[])("%j is not valid", (fields) => {
  const head = { status: 200, headers: headersOf(fields) };
  expect(() => framingOf("GET", head)).toThrow("HPE_INVALID_ANSWER");
});

test.each([
  ["timeout=5", 5],
  ["timeout=5, max=100", 5],
  ["max=100,TIMEOUT=7", 7],
  ["max=100", undefined],
  ["maxtimeout=3", undefined],
  ["timeout=-1", undefined],
])("%j keeps %p seconds", (value, seconds) => {
  expect(keptSeconds(headersOf([["keep-alive", value]]))).toBe(seconds);
});

test("without the field the server does not say", () => {
  expect(keptSeconds(new Headers())).toBeUndefined();
});

test.each([
  [[], false],
  [[["content-length", "0"]], false],
  [[["content-length", "2"]], true],
  [[["content-length", "2, 2"]], true],
  [[["transfer-encoding", "chunked"]], true],
] as const)("an answer with %j announces a body: %p", (rows, announces) => {
  const headers = headersOf(rows.map(([name, value]): [string, string] => [name, value]));
  expect(announcesBody({ status: 204, headers })).toBe(announces);
});
