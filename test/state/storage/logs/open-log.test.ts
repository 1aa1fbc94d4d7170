import { expect, test } from "bun:test";
import type { Importer } from "#history/imports/importer.ts";
import { OpenLog } from "#state/storage/logs/read-log.ts";
import { plainUtils, useLine } from "../../../support/logs.ts";

const importer: Importer = {
  name: "Test",
  serverNames: "logged",
  findFolders: () => [],
  open(_file, tools) {
    let lines = 0;
    return {
      take(line) {
        if (line["fail"] === true) throw new Error("too deep");
        lines += 1;
        tools.emit(useLine({ id: String(lines) }));
      },
    };
  },
};

const bytes = (text: string) => Buffer.from(text);
const take = (log: OpenLog, text: string): void => {
  log.take(bytes(text), 0, Buffer.byteLength(text));
};
const ids = (log: OpenLog) =>
  log.result().events.map((event) => (event.kind === "tool_use" ? event.id : event.kind));

test("lines that are not objects, or on which a reader fails, are bad", () => {
  const log = new OpenLog(importer, "x", plainUtils);
  for (const line of ["{}", "[]", "", " ", "x", '{"fail":true}']) take(log, line);
  expect(ids(log)).toEqual(["1"]);
  expect(log.result().counts).toEqual({ bad: 3, torn: 0, unknown: 0 });
});

test("a last line is whole or torn", () => {
  const log = new OpenLog(importer, "x", plainUtils);
  for (const line of ["{}", "{", ""]) log.takeLast(bytes(line));
  expect(ids(log)).toEqual(["1"]);
  expect(log.result().counts.torn).toBe(1);
});

test("rows are taken with their table", () => {
  const log = new OpenLog(importer, "x", plainUtils);
  log.takeRow("message", { id: 1 });
  expect(ids(log)).toEqual(["1"]);
});
