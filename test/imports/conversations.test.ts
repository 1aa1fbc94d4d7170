import { expect, test } from "bun:test";
import { conversationsOf } from "#imports/conversations.ts";
import type { ConversationEvent } from "#imports/log-event.ts";
import { requestLine } from "../support/logs.ts";

const described: ConversationEvent = {
  kind: "conversation",
  at: 500,
  conversation: "agent",
  session: "one",
  role: "subagent",
  parent: "one",
  clientVersion: "2.1",
  project: "hash",
};

test("a conversation is joined from all events that name it, and begins with the first", () => {
  const found = conversationsOf([
    [requestLine({ at: 900 }), requestLine({ at: 800 }), requestLine({ at: null })],
    [described, { ...described, clientVersion: "3", isApproximate: true }],
  ]);
  expect(found.get("one")).toMatchObject({ session: "one", role: "main", beganAt: 800 });
  expect(found.get("agent")).toEqual({
    id: "agent",
    session: "one",
    role: "subagent",
    parent: "one",
    clientVersion: "2.1",
    project: "hash",
    projectName: null,
    isApproximate: true,
    isChild: true,
    beganAt: 500,
  });
});
