import { expect, test } from "bun:test";
import { nameCharactersMax } from "#kit/limits.ts";
import { clientKeys, sessionKey } from "#meter/session/participants.ts";

const hash = (text: string): string => `#${text}`;

test("clientKeys has the model, and hashes of the ids that are there", () => {
  expect(clientKeys({}, hash)).toEqual({});
  const ids = { callId: "c", threadId: "t", sessionId: "s", turnId: "u" };
  const caller = { model: "m", ...ids, traceParent: "00-1-2-01" };
  expect(clientKeys(caller, hash)).toEqual({
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
  expect(sessionKey(long, hash)).toEqual({ client_session_id_sha256: `#${long}` });
  for (const id of [undefined, "", `${long}x`]) {
    expect(sessionKey(id, hash)).toEqual({});
    expect(clientKeys(id === undefined ? {} : { callId: id, turnId: id }, hash)).toEqual({});
  }
});
