import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { holdBody } from "#transport/http/gated/gated-answer.ts";
import { OverflowFile } from "#state/storage/scratch-paths.ts";
import { bytesOf, concat } from "../../../support/bytes.ts";
import { Folder } from "../../../support/folder.ts";
import { chunked } from "../../../support/chunked.ts";
import { lineObservedBytesMax } from "#kit/limits.ts";

test("a body in memory", async () => {
  using folder = new Folder();
  const overflow = new OverflowFile(() => folder.at("overflow"));
  const held = await holdBody(chunked([bytesOf('{"a":'), bytesOf("1}")]), overflow);
  expect(held?.line).toEqual({ bytes: bytesOf('{"a":1}'), size: 7, skim: undefined });
  expect(concat([...(held?.chunks() ?? [])])).toEqual(bytesOf('{"a":1}'));
  held?.discard();
});

test("a body that is longer than memory holds is in a file without a name, byte for byte", async () => {
  using folder = new Folder();
  const overflow = new OverflowFile(() => folder.at("overflow"));
  const sources = Array.from({ length: 9 }, (_, at) =>
    new Uint8Array(lineObservedBytesMax / 8).fill(at),
  );
  const held = await holdBody(chunked(sources), overflow);
  expect(held?.line).toMatchObject({ bytes: undefined, size: (lineObservedBytesMax / 8) * 9 });
  expect(readdirSync(folder.path)).toEqual([]);
  expect(Buffer.compare(concat([...(held?.chunks() ?? [])]), concat(sources))).toBe(0);
  expect([...(held?.chunks() ?? [])]).toEqual([]);
});

test("a body that breaks off leaves nothing", async () => {
  using folder = new Folder();
  const opened: string[] = [];
  const overflow = new OverflowFile(() => {
    opened.push("opened");
    return folder.at("overflow");
  });
  const chunks = chunked([new Uint8Array(lineObservedBytesMax + 1)], new Error("broke"));
  expect(holdBody(chunks, overflow)).rejects.toThrow("broke");
  await Bun.sleep(1);
  expect(opened).toEqual(["opened"]);
  expect([...overflow.take()]).toEqual([]);
});
