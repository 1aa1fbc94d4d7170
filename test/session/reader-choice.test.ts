import { expect, test } from "bun:test";
import { strangers } from "#calls/conversation.ts";
import { ReaderChoice } from "#session/reader-choice.ts";
import { plainReader } from "../support/plain-reader.ts";

const named = (name: string) => ({ ...strangers, client: { name, version: undefined } });

test("who reads is chosen anew only when the client's name becomes another", () => {
  const asked: (string | undefined)[] = [];
  const choice = new ReaderChoice((client) => {
    asked.push(client);
    return plainReader(client);
  });
  const profiles = [
    strangers,
    strangers,
    named("claude-code"),
    named("claude-code"),
    named("Zed"),
  ].map((conversation) => choice.now(conversation).profile.id);
  expect(asked).toEqual([undefined, "claude-code", "Zed"]);
  expect(profiles.slice(1, 4)).toEqual(["content-first", "structured-first", "structured-first"]);
});
