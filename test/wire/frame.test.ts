import { describe, expect, test } from "bun:test";
import { type Frame, readParsedFrame, readSkimmedFrame } from "#wire/parse-message.ts";
import { skimBytes } from "#wire/skimmer.ts";
import { bytesOf } from "../support/bytes.ts";

function frames(text: string): readonly (Frame | undefined)[] {
  const skim = skimBytes(bytesOf(text));
  return [readParsedFrame(JSON.parse(text), () => skim), readSkimmedFrame(skim)];
}

describe("parsed and skimmed frames agree about", () => {
  test.each([
    ["a number", '{"id":1}', { id: { value: 1 }, isIdInvalid: false }],
    ["a string", '{"id":"1"}', { id: { value: "1" }, isIdInvalid: false }],
    ["a number beyond 2^53", '{"id":9007199254740993}', { id: { raw: "9007199254740993" } }],
    ["null", '{"id":null}', { id: undefined, isIdInvalid: false }],
    ["an absent id", "{}", { id: undefined, isIdInvalid: false }],
    ["an invalid id", '{"id":[1]}', { id: undefined, isIdInvalid: true }],
    ["a method", '{"method":"ping"}', { method: "ping", hasResult: false, hasError: false }],
    ["a result", '{"result":null}', { hasResult: true, hasError: false }],
    ["an error", '{"jsonrpc":"2.0","error":{}}', { version: "2.0", hasError: true }],
  ])("%s", (_name, text, expected) => {
    for (const frame of frames(text)) expect(frame).toMatchObject(expected);
  });

  test("a value that is not an object", () => {
    expect(frames("[1]")).toEqual([undefined, undefined]);
    expect(frames("7")).toEqual([undefined, undefined]);
  });
});

test("only a parsed frame has payloads", () => {
  const [parsed, skimmed] = frames('{"params":{"a":1}}');
  expect([parsed?.params, parsed?.truncated]).toEqual([{ a: 1 }, false]);
  expect([skimmed?.params, skimmed?.truncated]).toEqual([undefined, true]);
});

test("an object that is not closed has no frame", () => {
  expect(readSkimmedFrame(skimBytes(bytesOf('{"id":1')))).toBeUndefined();
});
