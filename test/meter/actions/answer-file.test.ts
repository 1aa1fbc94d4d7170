import { expect, test } from "bun:test";
import { answerFile } from "#meter/actions/spill.ts";
import { excessOf } from "../../support/excess.ts";

const text = (of: string) => ({ type: "text", text: of });
const image = { type: "image", data: "AAAA", mimeType: "image/png" };

test("answerFile has texts unchanged, and the rest as JSON over several lines", () => {
  const content = [text('{"a":1}'), image, text("second")];
  expect(answerFile(excessOf({ content }, 10))).toEqual({
    text: `{"a":1}\nsecond\n${JSON.stringify(image, null, 2)}`,
    extension: "txt",
  });
});

test("answerFile of nothing but JSON is JSON", () => {
  const structuredContent = { a: [1] };
  const file = answerFile(excessOf({ structuredContent }, 10));
  expect(file.extension).toBe("json");
  expect(JSON.parse(file.text)).toEqual(structuredContent);
  expect(answerFile(excessOf({ content: [image] }, 10)).extension).toBe("json");
  expect(answerFile(excessOf({ content: [text("{}")] }, 10)).extension).toBe("txt");
});
