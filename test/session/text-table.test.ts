import { expect, test } from "bun:test";
import { textTableSize } from "#session/text-table.ts";
import { cpuMs } from "../support/measure.ts";

const size = (rows: number, columns: number) => ({ rows, columns });

test.each([
  ["CSV", "id,title\n1,One\n2,Two\n", size(2, 2)],
  ["CSV with CRLF and without a last line break", "id,title\r\n1,One", size(1, 2)],
  ["CSV with quotes", 'id,title\n1,"One, or ""two""\nlines"\n', size(1, 2)],
  ["CSV with empty fields", "id,title,at\n1,,\n,,x\n", size(2, 3)],
  ["TSV", "id\ttitle, short\n1\tOne\n", size(1, 2)],
  ["only names", "id,title\n", undefined],
  ["one column", "id\n1\n2\n", undefined],
  ["rows of different lengths", "id,title\n1\n", undefined],
  ["the same name twice", "id,id\n1,2\n", undefined],
  ["prose with commas", "First, we ask.\nThen, we count.\n", undefined],
  ["a quote within a field", 'id,title\n1,the "one"\n', size(1, 2)],
  ["a quote that is not closed", 'id,title\n1,"one\n', undefined],
  ["Markdown", "| id | title |\n| -- | :---: |\n| 1 | One |\n| 2 | Two |", size(2, 2)],
  ["Markdown between prose", "Found:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nDone.", size(1, 2)],
  ["Markdown without outer bars", "a | b\n--- | ---\n1 | 2\n", size(1, 2)],
  ["Markdown with a bar in a cell", "| a | b |\n|---|---|\n| x \\| y | 2 |\n", size(1, 2)],
  ["two Markdown tables", "| a |\n|---|\n| 1 |\n\n| b |\n|---|\n| 2 |", undefined],
  ["a rule below a line with a bar", "a | b\n-----\ntext", undefined],
  ["prose", "Two rows, none of them long.", undefined],
  ["empty", "", undefined],
])("textTableSize of %s", (_, text, expected) => {
  expect(textTableSize(text)).toEqual(expected);
});

test("textTableSize takes linear time", async () => {
  const length = 32_768;
  const texts = [",", '"', '""', ",\n", "|", "|-", "a,b\n", "| - |\n", '"a\n', "-|-\n", " |"];
  const spent = await cpuMs(() => {
    for (const part of texts) textTableSize(part.repeat(length / part.length));
  });
  expect(spent).toBeLessThan(1000);
});
