/** Exact is said of an answer that a measured client shows unchanged to a model whose vocabulary is public, and of no session. */
import { expect, test } from "bun:test";
import { readMember } from "#wire/json.ts";
import {
  startGatedSession,
  playCall,
  clientReader,
  forEachClient,
  type PerClient,
} from "../support/golden-clients.ts";

const text = (of: string) => ({ type: "text", text: of });
const structured = { content: [text("Cold")], structuredContent: { temp: 3 } };

const exact: PerClient<readonly [one: boolean, two: boolean, half: boolean, error: boolean]> = {
  "Claude Code": [true, true, true, true],
  Codex: [false, false, false, false],
  "Gemini CLI": [false, false, false, false],
  Cursor: [false, false, false, false],
  "VS Code": [false, false, false, false],
  unknown: [false, false, false, false],
};

const answers = [
  { content: [text("Cold")] },
  { content: [text("Cold"), text("Wet")] },
  structured,
  { content: [text("No such city")], isError: true },
];

const picture = { content: [{ type: "image", data: "AAAA", mimeType: "image/png" }] };

forEachClient(exact, (row, client, era) => {
  const readerFor = clientReader(client, "auto", "gpt-4o");

  test("the record of a call", () => {
    const found = answers.map((result) => {
      const played = playCall(client, era, result, { readerFor });
      const { estimation } = played.summary;
      expect(estimation).toMatchObject({ is_estimated: true, confidence: "medium" });
      return played.calls.map(({ confidence, is_estimated: isEstimated }) => [
        confidence,
        isEstimated,
      ]);
    });
    expect(found).toEqual(row.map((isExact) => [isExact ? ["high", false] : ["medium", true]]));
  });

  test("the annotation of an answer says the same as its record", () => {
    const found = [...answers, picture].map((result) => {
      const played = startGatedSession([], client, era, { readerFor, isAnnotating: true })
        .client(era.ask(1, "tools/call", { name: "search", arguments: {} }))
        .server(era.answer(1, result))
        .end();
      const line: unknown = JSON.parse(played.toClient.at(-1) ?? "");
      const usage = readMember(line, "result", "_meta", "dev.mcp-meter/usage");
      const [record] = played.calls;
      if (client === "Gemini CLI" && "isError" in result) {
        expect(usage).toBeUndefined();
        return record?.confidence;
      }
      expect(usage).toMatchObject({
        input_tokens: record?.input_tokens,
        output_tokens: record?.output_tokens,
        confidence: record?.confidence,
      });
      return readMember(usage, "confidence");
    });
    const shown = ["Codex", "Claude Code", "Gemini CLI"].includes(client) ? "medium" : "low";
    expect(found).toEqual([...row.map((isExact) => (isExact ? "high" : "medium")), shown]);
  });
});
