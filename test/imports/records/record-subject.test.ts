import { expect, test } from "bun:test";
import {
  commonOf,
  estimationFields,
  serverSession,
  type Subject,
} from "#imports/records/record-subject.ts";

const conversation = {
  id: "native",
  session: "native",
  role: "main",
  parent: null,
  clientVersion: null,
  project: null,
  projectName: null,
  isApproximate: false,
  isChild: false,
  beganAt: null,
} as const;

const estimation = {
  id: "chars3",
  method: "characters",
  encoding: "characters/3",
  confidence: "low",
  error: "a rough rule",
} as const;

const subject: Subject = {
  client: "codex",
  conversation: { ...conversation },
  id: "conversation",
  tools: {
    uuid: (name) => `uuid of ${name}`,
    sha256: (text) => text,
    estimationOf: () => estimation,
    countTokens: () => null,
  },
};

test("each server of a conversation has a session of its own, by the client's own ids", () => {
  expect(serverSession("docs", subject)).toBe("uuid of codex\nnative\ndocs");
});

test("records have their time, session and place, and say how tokens were counted", () => {
  expect(commonOf(0, 3, "session", subject)).toEqual({
    schema_version: "1.1",
    ts: "1970-01-01T00:00:00.000Z",
    session_id: "session",
    seq: 3,
    conversation_id: "conversation",
  });
  expect(estimationFields(estimation)).toMatchObject({
    estimator: "chars3",
    estimation_method: "characters",
    estimation_error: "a rough rule",
  });
});
