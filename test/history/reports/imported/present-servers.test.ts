import { expect, test } from "bun:test";
import { rentedServersMax, findPresentServers } from "#history/reports/imported/logged-cost.ts";
import type { ImportedRecord, MeterRecord } from "#records/record.ts";
import { callRecord, definitionsRecord, sessionRecord } from "../../../support/made-records.ts";
import { makeConversation, knownFrom } from "./cost-plan.ts";
import { call, conversation, toolList } from "./made-history.ts";

const own: ImportedRecord =
  conversation.type === "conversation"
    ? { ...conversation, client_session_id_sha256: "hash" }
    : conversation;

function present(imported: readonly ImportedRecord[], wire: readonly MeterRecord[] = []) {
  const facts = {
    known: knownFrom(wire),
    pairs: new Map(),
    findPosition: (index: number) => index,
  };
  return findPresentServers(makeConversation(imported), facts);
}

test("a server that ran in the session was there, called or not, with the definitions of the wire", () => {
  const wire = [
    sessionRecord({ session_id: "wire", server: "docs", client_session_id_sha256: "hash" }),
    definitionsRecord({ session_id: "wire", server: "docs", resident_tokens: 70 }),
  ];
  expect(present([own, toolList(0)], wire)).toMatchObject([
    { server: "docs", sessionId: "wire", held: [{ tokens: 70, from: 0 }] },
  ]);
  expect(present([conversation], wire)).toEqual([]);
});

test("a server whose tools the log lists was there, with their names alone", () => {
  const lists = [toolList(0, { turn: 1, until_turn: 4 }), toolList(1, { turn: 4, tokens: 5 })];
  expect(present([conversation, call(0), ...lists])).toMatchObject([
    {
      server: "docs",
      sessionId: "session",
      held: [
        { tokens: 20, from: 1, until: 4 },
        { tokens: 5, from: 4 },
      ],
      estimation: { estimator: "claude" },
    },
  ]);
  expect(present([toolList(0, { tokens: null })])).toMatchObject([{ held: undefined }]);
});

test("a server that was called was there, with definitions of another session or unknown ones", () => {
  const wire = [sessionRecord({ server: "docs" }), definitionsRecord({ server: "docs" })];
  expect(present([call(0)], wire)).toMatchObject([
    { sessionId: "session", held: [{ tokens: 160 }] },
  ]);
  expect(present([call(0)])).toMatchObject([
    { server: "docs", held: undefined, estimation: { estimator: "claude" } },
  ]);
});

test("a call on the wire names the server", () => {
  const logged = call(0);
  const wire = callRecord({ server: "docs (work)", session_id: "wire" });
  const facts = { known: knownFrom(), pairs: new Map([[logged, wire]]), findPosition: Number };
  const its = { record: undefined, turns: new Map(), calls: new Map(), lists: new Map() };
  its.calls.set("key", logged);
  expect(findPresentServers(its, facts)).toMatchObject([
    { server: "docs (work)", sessionId: "wire" },
  ]);
});

test("a conversation has servers up to the limit", () => {
  const calls = Array.from({ length: rentedServersMax + 1 }, (_, seq) =>
    call(seq, { server: `s${seq}` }),
  );
  expect(present(calls)).toHaveLength(rentedServersMax);
});
