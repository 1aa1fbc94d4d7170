import { expect, test } from "bun:test";
import { strangers } from "#calls/conversation.ts";
import { labelOf } from "#session/session-bodies.ts";
import { meterOptions } from "../support/play.ts";

const server = { name: "its own", version: "1" };

test.each([
  ["the user's word", "mine", server, "mine"],
  ["else the server's", undefined, server, "its own"],
  ["else one from the command", undefined, undefined, "fallback"],
  ["cut like any name", "x".repeat(1_000), server, "x".repeat(256)],
] as const)("labelOf: %s", (_what, serverLabel, told, label) => {
  expect(labelOf({ ...strangers, server: told }, meterOptions({ serverLabel }))).toBe(label);
});
