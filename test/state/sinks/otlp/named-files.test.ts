import { expect, test } from "bun:test";
import { truncateSync } from "node:fs";
import { certificateBytesMax, findUnusableFileVariable } from "#state/sinks/otlp/open-otlp.ts";
import { Folder } from "../../../support/folder.ts";

test("only regular files of some length are read", () => {
  using folder = new Folder();
  const [small, large] = [folder.file("small", "x"), folder.file("large", "x")];
  truncateSync(large, certificateBytesMax);
  const shared = "OTEL_EXPORTER_OTLP_CERTIFICATE";
  for (const file of [undefined, "", " ", small, large, folder.at("missing")]) {
    expect(findUnusableFileVariable({ [shared]: file })).toBe(undefined);
  }
  truncateSync(large, certificateBytesMax + 1);
  const fifo = folder.at("fifo");
  Bun.spawnSync(["mkfifo", fifo]);
  for (const file of [large, fifo, ` ${fifo}`, folder.path, "/dev/zero"]) {
    expect([file, findUnusableFileVariable({ [shared]: file })]).toEqual([file, shared]);
  }
  const variable = "OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY";
  expect(findUnusableFileVariable({ [shared]: small, [variable]: fifo })).toBe(variable);
});
