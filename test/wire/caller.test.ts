import { expect, test } from "bun:test";
import { readCaller, turnMetadataCharactersMax } from "#wire/message.ts";
import { nameCharactersMax } from "#kit/limits.ts";

const turn = { model: "gpt-6-codex", turn_id: "turn-1", session_id: "s-1", thread_id: "t-1" };

test("readCaller reads the ids and the model of Codex, whose metadata may be JSON in a text", () => {
  const ids = { callId: "exec-1", threadId: "thread", sessionId: "session" };
  const read = { callId: "exec-1", model: "gpt-6-codex", turnId: "turn-1" };
  for (const metadata of [turn, JSON.stringify(turn)]) {
    const params = { _meta: { ...ids, "x-codex-turn-metadata": metadata } };
    expect(readCaller(params)).toEqual({ ...read, threadId: "thread", sessionId: "session" });
    expect(readCaller({ _meta: { "x-codex-turn-metadata": metadata } })).toEqual({
      model: "gpt-6-codex",
      threadId: "t-1",
      sessionId: "s-1",
      turnId: "turn-1",
    });
  }
});

test("readCaller reads the id that Claude Code gives a call", () => {
  expect(readCaller({ _meta: { "claudecode/toolUseId": "toolu_01" } })).toEqual({
    callId: "toolu_01",
  });
});

test("readCaller reads the span of the caller, in the form of W3C Trace Context alone", () => {
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  expect(readCaller({ _meta: { traceparent } })).toEqual({ traceParent: traceparent });
  for (const invalid of ["secret", `${traceparent}-x`, traceparent.toUpperCase(), 1]) {
    expect(readCaller({ _meta: { traceparent: invalid } })).toEqual({});
  }
});

test("readCaller takes any params, and no text that is longer than a name", () => {
  const long = "x".repeat(nameCharactersMax + 1);
  for (const params of [undefined, null, [], { _meta: 1 }, { _meta: { callId: 7 } }]) {
    expect(readCaller(params)).toEqual({});
  }
  expect(readCaller({ _meta: { callId: "", threadId: long } })).toEqual({});
  expect(readCaller({ _meta: { callId: long.slice(1) } })).toEqual({ callId: long.slice(1) });
  const hidden = { ...turn, more: "x".repeat(turnMetadataCharactersMax) };
  for (const text of ["{", JSON.stringify(hidden)]) {
    expect(readCaller({ _meta: { "x-codex-turn-metadata": text } })).toEqual({});
  }
});
