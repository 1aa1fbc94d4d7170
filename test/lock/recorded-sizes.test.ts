import { expect, test } from "bun:test";
import { RecordedAnswers } from "#lock/recorded-sizes.ts";
import { callRecord, definitionsRecord } from "../support/made-records.ts";

const sha256 = "a".repeat(64);

test("RecordedAnswers: the successful answers of sessions with this server, and with a tool of the same definition", () => {
  const answers = new RecordedAnswers("garden", [{ sha256 }]);
  for (const output_tokens of [40, 90]) answers.add(callRecord({ output_tokens }));
  answers.add(callRecord({ output_tokens: 9_000, outcome: "tool_error" }));
  const renamed = { session_id: "renamed", server: "g" };
  answers.add(callRecord({ ...renamed, output_tokens: 7_000 }));
  const tools = definitionsRecord().tools.map((tool) => ({ ...tool, sha256 }));
  answers.add(definitionsRecord({ ...renamed, tools }));
  answers.add(callRecord({ ...renamed, output_tokens: 500 }));
  expect(answers.of("search")).toEqual({ calls: 3, average_tokens: 210, max_tokens: 500 });
  expect(answers.of("other")).toBeUndefined();
});
