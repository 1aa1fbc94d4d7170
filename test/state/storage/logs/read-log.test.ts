import { describe, expect, test } from "bun:test";
import type { Importer } from "#history/imports/importer.ts";
import { readLog, LogLines } from "#state/storage/logs/read-log.ts";
import { Folder } from "../../../support/folder.ts";
import { plainUtils, useLine } from "../../../support/logs.ts";

const importer: Importer = {
  name: "Test",
  serverNames: "logged",
  findFolders: () => [],
  open: (_file, tools) => ({
    take(line) {
      if (line["deep"] === true) throw new RangeError("Maximum call stack size exceeded");
      if (line["id"] === undefined) tools.countUnknown();
      else tools.emit(useLine({ id: `${Number(line["id"])}` }));
    },
  }),
};

async function read(text: string, form: "lines" | "document" = "lines"): Promise<unknown> {
  using folder = new Folder();
  const file = folder.file("x.jsonl", text);
  const outcome = await readLog({ file, path: "x.jsonl", form, group: "" }, importer, plainUtils);
  if ("fault" in outcome) return outcome.fault;
  const ids = outcome.events.map((event) => (event.kind === "tool_use" ? event.id : event.kind));
  return [...ids, Object.values(outcome.counts).join(" ")];
}

describe("lines", () => {
  test("are read, and those that are not objects are bad", async () => {
    expect(await read('{"id":1}\n\n[]\nx\n{"id":2}\n{}\n')).toEqual(["1", "2", "2 0 1"]);
  });

  test("with a bad end are torn where the file is still written", async () => {
    expect(await read('{"id":1}\n{"id":')).toEqual(["1", "0 1 0"]);
    expect(await read('{"id":1}\n{"id":2}')).toEqual(["1", "2", "0 0 0"]);
    expect(await read('{"id":1}\n \r')).toEqual(["1", "0 0 0"]);
  });

  test("on which the reader fails are bad", async () => {
    expect(await read('{"deep":true}\n{"id":3}\n')).toEqual(["3", "1 0 0"]);
  });
});

test("a document is one object", async () => {
  expect(await read('{\n"id": 1\n}', "document")).toEqual(["1", "0 0 0"]);
  expect(await read("{", "document")).toEqual(["1 0 0"]);
});

test("a file that cannot be read has a fault", async () => {
  using folder = new Folder();
  for (const form of ["lines", "document"] as const) {
    const missing = { file: folder.at("no"), path: "no", form, group: "" };
    expect(await readLog(missing, importer, plainUtils)).toEqual({
      fault: "ENOENT",
    });
  }
});

const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();

function splitLines(chunks: readonly string[], bytesMax = 8): unknown[] {
  const found: unknown[] = [];
  const lines = new LogLines(
    (bytes, from, to) => found.push(bytes.toString("utf8", from, to)),
    bytesMax,
  );
  for (const chunk of chunks) {
    const bytes = Buffer.from(chunk);
    lines.push(bytes);
    bytes.fill(0);
  }
  const last = text(lines.end());
  return [...found, last, lines.tooLong];
}

test("lines are the same in any chunks, and empty ones are left out", () => {
  const input = "\none\n\n\ntwo\nthree";
  const expected = ["one", "two", "three", 0];
  expect(splitLines([input])).toEqual(expected);
  expect(splitLines([...input])).toEqual(expected);
  expect(splitLines(["one\n"])).toEqual(["one", "", 0]);
});

test("a line of the limit is taken, a longer one is counted", () => {
  for (const cut of [1, 5, 9]) {
    expect(splitLines(["12345678\nx".slice(0, cut), "12345678\nx".slice(cut)])).toEqual([
      "12345678",
      "x",
      0,
    ]);
    expect(splitLines(["123456789\nx".slice(0, cut), "123456789\nx".slice(cut)])).toEqual(["x", 1]);
  }
  expect(splitLines(["12345", "6789"])).toEqual([undefined, 1]);
});
