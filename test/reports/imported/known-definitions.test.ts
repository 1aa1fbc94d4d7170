import { expect, test } from "bun:test";
import { definitionsRecord, sessionRecord } from "../../support/made-records.ts";
import { knownFrom } from "./cost-plan.ts";

function session(id: string, client: string, clientSession?: string) {
  const key = clientSession === undefined ? {} : { client_session_id_sha256: clientSession };
  return sessionRecord({ session_id: id, server: "docs", client_name: client, ...key });
}

function list(id: string, tokens: number, ts: string) {
  return definitionsRecord({ session_id: id, server: "docs", seq: 1, resident_tokens: tokens, ts });
}

test("definitions are those of the client's own session, by server", () => {
  const known = knownFrom([
    session("a", "claude-code", "hash"),
    list("a", 40, "2026-03-01T00:00:00.000Z"),
    session("b", "claude-code", "hash"),
    list("b", 50, "2026-03-02T00:00:00.000Z"),
  ]);
  expect(known.ofSession("hash").get("docs")).toMatchObject({ tokens: 50, session: { id: "b" } });
  expect([known.ofSession("other").size, known.ofSession(undefined).size]).toEqual([0, 0]);
});

test("of other sessions, the newest of the same client counts, else the newest", () => {
  const known = knownFrom([
    session("a", "codex-mcp-client"),
    list("a", 900, "2026-03-01T00:00:00.000Z"),
    session("b", "claude-code"),
    list("b", 50, "2026-03-02T00:00:00.000Z"),
  ]);
  const tokens = ["codex", "claude-code", "goose"].map(
    (client) => known.ofServer("docs", client)?.tokens,
  );
  expect(tokens).toEqual([900, 50, 50]);
  expect(known.ofServer("files", "codex")).toBeUndefined();
});

test("a list without tools says nothing about definitions", () => {
  const empty = definitionsRecord({ server: "docs", tools: [], tools_total: 0 });
  expect(
    knownFrom([session("session", "claude-code"), empty]).ofServer("docs", "x"),
  ).toBeUndefined();
});
