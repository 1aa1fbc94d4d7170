import { expect, test } from "bun:test";
import { type PrunableFile, chooseFiles } from "#state/storage/prune/choose-files.ts";
import { limitAutomaticPrune } from "#state/storage/prune/automatic-prune.ts";

const file = (changedMs: number, bytes = 10): PrunableFile => ({
  path: String(changedMs),
  kind: "records",
  bytes,
  changedMs,
});

const chosen = (olderThanMs: number | undefined, keepBytes: number | undefined, liveBytes = 0) =>
  chooseFiles(
    { files: [file(50), file(10), file(90), file(500)], liveBytes },
    { olderThanMs, keepBytes },
    100,
  ).map(({ path, reason }) => `${path} ${reason}`);

test("files are chosen by age, the oldest first; one as old as allowed is kept", () => {
  expect(chosen(50, undefined)).toEqual(["10 age"]);
  expect(chosen(49, undefined)).toEqual(["10 age", "50 age"]);
  expect(chosen(0, undefined)).toEqual(["10 age", "50 age", "90 age"]);
});

test("files are chosen by size, those of running sessions counted and kept", () => {
  expect(chosen(undefined, 40)).toEqual([]);
  expect(chosen(undefined, 39)).toEqual(["10 size"]);
  expect(chosen(undefined, 20)).toEqual(["10 size", "50 size"]);
  expect(chosen(undefined, 40, 1)).toEqual(["10 size"]);
  expect(chosen(undefined, 0)).toEqual(["10 size", "50 size", "90 size", "500 size"]);
  expect(chosen(60, 30)).toEqual(["10 age"]);
});

test("without a question a bounded number of files, and none where all are old", () => {
  const files = [file(10), file(20), file(90)];
  const retention = { olderThanMs: 50, keepBytes: undefined };
  const some = chooseFiles({ files: files, liveBytes: 0 }, retention, 100);
  expect(limitAutomaticPrune(some, files, 10)).toHaveLength(2);
  expect(limitAutomaticPrune(some, files, 1).map(({ path }) => path)).toEqual(["10"]);
  const late = chooseFiles({ files: files, liveBytes: 0 }, retention, 10_000);
  expect(late).toHaveLength(3);
  expect(limitAutomaticPrune(late, files, 10)).toEqual([]);
});
