import { describe, expect, test } from "bun:test";
import { nameCharactersMax } from "#kit/limits.ts";
import { unnamedClient, parseRequest } from "#transport/http/request-body.ts";
import { bytesOf } from "../../support/bytes.ts";
import { call, initialize, notification, request } from "../../support/rpc.ts";

const toLine = (text: string) => {
  const bytes = bytesOf(text);
  return { bytes, size: bytes.length, skim: undefined };
};

const parse = (message: object | string, headers: Readonly<Record<string, string>> = {}) =>
  parseRequest(
    { method: "POST", headers: new Headers(headers) },
    toLine(typeof message === "string" ? message : JSON.stringify(message)),
  );

const session = { "mcp-session-id": "s1" };
const modern = (clientInfo?: object) =>
  request(1, "tools/call", {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      ...(clientInfo ? { "io.modelcontextprotocol/clientInfo": clientInfo } : {}),
    },
  });

const userIn = (headers: Readonly<Record<string, string>>, header?: string) =>
  parseRequest({ method: "POST", headers: new Headers(headers) }, undefined, header).key.user;

describe("parseRequest", () => {
  test("names the user of a header, or nobody where the header is missing", () => {
    expect(userIn({ "x-user": "ann" })).toBeUndefined();
    expect(userIn({ "x-user": " ann " }, "X-User")).toBe("ann");
    expect(userIn({}, "X-User")).toBe("");
    expect(userIn({ "x-user": "a".repeat(1_000) }, "X-User")).toHaveLength(nameCharactersMax);
  });

  test("a legacy request belongs to its session, and without one to the nameless client", () => {
    expect(parse(call(1, "x"), session)).toMatchObject({ key: { session: "s1" }, isModern: false });
    expect(parse(call(1, "x")).key).toEqual({ client: unnamedClient });
    const version = { ...session, "mcp-protocol-version": "2025-11-25" };
    expect(parse(notification("x"), version).key).toEqual({ session: "s1" });
  });

  test("a modern one belongs to its client, whatever session it names", () => {
    const { key, isModern } = parse(modern({ name: "a", version: "1" }), session);
    expect({ key, isModern }).toEqual({ key: { client: '["a","1"]' }, isModern: true });
    expect(parse(modern({ name: "a", version: "2" })).key).toEqual({ client: '["a","2"]' });
    expect(parse(modern()).key).toEqual({ client: unnamedClient });
    const version = { ...session, "mcp-protocol-version": "2026-07-28" };
    expect(parse(notification("x"), version)).toMatchObject({ isModern: true });
  });

  test("initialize is legacy, also of a client that names a newer revision", () => {
    const read = parse(initialize(), { "mcp-protocol-version": "2026-07-28" });
    expect(read).toMatchObject({ isInitialize: true, isModern: false });
  });

  test("bodies that are no message, and none", () => {
    for (const text of ["", "{", "[]", "null", '{"jsonrpc":"2.0"}']) {
      expect(parse(text, session)).toMatchObject({ isInitialize: false, key: { session: "s1" } });
    }
    const resumed = new Headers({ ...session, "last-event-id": "7" });
    expect(parseRequest({ method: "GET", headers: resumed }, undefined)).toEqual({
      method: "GET",
      line: undefined,
      isMessage: false,
      isRequest: false,
      isAwaited: false,
      isInitialize: false,
      isModern: false,
      isResumed: true,
      key: { session: "s1" },
    });
    expect(parse("{}", { "mcp-protocol-version": "zzzz" }).isModern).toBe(false);
  });
});
