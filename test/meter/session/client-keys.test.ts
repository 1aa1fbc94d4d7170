import { expect, test } from "bun:test";
import { nameCharactersMax } from "#kit/limits.ts";
import { makeClientKeys, makeSessionKey } from "#meter/session/participants.ts";

const hash = (text: string): string => `#${text}`;

test("clientKeys has the model, and hashes of the ids that are there", () => {
  expect(makeClientKeys({}, hash)).toEqual({});
  const ids = { callId: "c", threadId: "t", sessionId: "s", turnId: "u" };
  const caller = { model: "m", ...ids, traceParent: "00-1-2-01" };
  expect(makeClientKeys(caller, hash)).toEqual({
    model: "m",
    call_id_sha256: "#c",
    thread_id_sha256: "#t",
    client_session_id_sha256: "#s",
    turn_id_sha256: "#u",
    traceparent: "00-1-2-01",
  });
});

test("a text that is longer than a name is no id", () => {
  const long = "x".repeat(nameCharactersMax);
  expect(makeSessionKey(long, hash)).toEqual({ client_session_id_sha256: `#${long}` });
  for (const id of [undefined, "", `${long}x`]) {
    expect(makeSessionKey(id, hash)).toEqual({});
    expect(makeClientKeys(id === undefined ? {} : { callId: id, turnId: id }, hash)).toEqual({});
  }
});
