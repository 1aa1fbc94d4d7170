import { expect, test } from "bun:test";
import { readSources, skippedFilesNamedMax } from "#commands/report/read-usage.ts";
import { formatRecordLine } from "#state/sinks/record-queue.ts";
import { Folder, rejectionOf } from "../../support/folder.ts";
import { callRecord } from "../../support/made-records.ts";

const source = (file: string, isNamed = false) => ({ file, isNamed });
const line = formatRecordLine(callRecord());

async function read(files: readonly string[], isNamed = false) {
  const sentences: string[] = [];
  const sources = files.map((file) => source(file, isNamed));
  const records = await readSources(
    { sources, leftOut: 0 },
    ({ ts }) => ts !== "",
    (sentence) => sentences.push(sentence),
  );
  return { records, sentences };
}

test("lines that are not records are reported by file and reason", async () => {
  using folder = new Folder();
  const newer = line.replace('"1.0"', '"2.0"');
  const file = folder.file(
    "a",
    `${line}noise\n${newer}${formatRecordLine(callRecord({ ts: "" }))}${line.slice(0, 99)}`,
  );
  expect(await read([file, folder.file("b", line)])).toEqual({
    records: 2,
    sentences: [
      `Skipped 4 lines of "${file}": 1 incomplete, 1 from a newer version of mcp-meter, 2 not from mcp-meter`,
    ],
  });
});

test(`${skippedFilesNamedMax} files are named, the others counted`, async () => {
  using folder = new Folder();
  const files = Array.from({ length: skippedFilesNamedMax + 2 }, (_, at) =>
    folder.file(`${at}`, "x\ny\n"),
  );
  const { sentences } = await read(files);
  expect(sentences.length).toBe(skippedFilesNamedMax + 1);
  expect(sentences.at(-1)).toBe("Skipped 4 lines of 2 other files");
  expect((await read(files.slice(2))).sentences.length).toBe(skippedFilesNamedMax);
});

test("an unreadable file in a folder is reported, a named one is a mistake", async () => {
  using folder = new Folder();
  const files = [folder.at("no"), folder.file("b", line)];
  const sentence = `Cannot read "${folder.at("no")}": no such file or directory`;
  expect(await read(files)).toEqual({ records: 1, sentences: [sentence] });
  expect(await rejectionOf(read(files, true))).toBe(`UserError: ${sentence}`);
});

test("files beyond the limit are counted", async () => {
  const sentences: string[] = [];
  await readSources(
    { sources: [], leftOut: 3 },
    () => true,
    (sentence) => sentences.push(sentence),
  );
  expect(sentences).toEqual(["Left out 3 record files; at most 100,000 are read"]);
});
