import { describe, expect, test } from "bun:test";
import { makeParameterHeaders } from "#check/mcp-client/connection.ts";

const makeSchema = (properties: object) => ({ type: "object", properties });
const named = (name: unknown, type = "string") => ({ type, "x-mcp-header": name });
const of = (value: unknown) => makeParameterHeaders(makeSchema({ a: named("A") }), { a: value });
const coded = (text: string) => `=?base64?${Buffer.from(text).toString("base64")}?=`;

describe("makeParameterHeaders", () => {
  test.each([
    ["plain words", "plain words"],
    ["tab\tinside", "tab\tinside"],
    [7, "7"],
    [-0.5, "-0.5"],
    [true, "true"],
    ["", coded("")],
    [" space", coded(" space")],
    ["Zürich", coded("Zürich")],
    ["line\r\nX: 1", coded("line\r\nX: 1")],
    ["=?base64?eA==?=", coded("=?base64?eA==?=")],
  ])("%j is sent as %s", (value, header) => {
    expect(of(value)).toEqual({ "Mcp-Param-A": header });
    expect([...new Headers(of(value)).values()]).toEqual([header]);
  });

  test.each([[undefined], [null], [{}], [[]], [Number.NaN], [Infinity], [2 ** 60]])(
    "%p has no header",
    (value) => {
      expect(of(value)).toEqual({});
    },
  );

  test("properties of objects are reached, and nothing else is", () => {
    const inner = makeSchema({ b: named("B"), ["__proto__"]: named("C") });
    const schema = makeSchema({ a: inner, list: { items: named("D") } });
    expect(makeParameterHeaders(schema, { a: { b: "x" }, list: ["y"] })).toEqual({
      "Mcp-Param-B": "x",
    });
  });

  test.each([
    ["not a token", makeSchema({ a: named("two words") })],
    ["not a text", makeSchema({ a: named(7) })],
    ["no properties", { type: "object" }],
    ["no schema", undefined],
  ])("%s is no header", (_, schema) => {
    expect(makeParameterHeaders(schema, { a: "x" })).toEqual({});
  });

  test("a schema without an end is left at the limit", () => {
    const loop: { [name: string]: unknown } = { type: "object" };
    loop["properties"] = { a: loop };
    expect(makeParameterHeaders(loop, {})).toEqual({});
  });
});
