import { expect, test } from "bun:test";
import { serveValidation } from "#check/mcp-client/structured-content/output-schemas.ts";
import { bytesOf } from "../../../support/bytes.ts";

async function* chunks(text: string, size: number) {
  const bytes = bytesOf(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test.each([1, 7, 10_000])(
  "serveValidation answers each line once, in chunks of %d bytes",
  async (size) => {
    const questions = [
      { isSdk2Only: false, tool: "ä", schema: { type: "object", required: ["a"] } },
      { isSdk2Only: false, tool: "u", schema: { type: "object", $ref: "#/x" } },
      { tool: "ä", structuredContent: { a: "\n" }, isError: false },
      { tool: "ä", structuredContent: {}, isError: true },
    ];
    const answers: string[] = [];
    const text = questions.map((question) => `${JSON.stringify(question)}\n`).join("");
    await serveValidation(chunks(text, size), async (line) => answers.push(line));
    expect(answers.every((line) => line.endsWith("\n"))).toBe(true);
    expect(answers.map((line) => JSON.parse(line))).toEqual([
      null,
      { reason: "can't resolve reference #/x from id #", rejectedBy: "both" },
      null,
      { pointer: "", reason: 'must have the property "a"', isSdk1Only: true },
    ]);
  },
);
