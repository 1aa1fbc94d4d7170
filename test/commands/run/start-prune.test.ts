import { expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, symlinkSync, utimesSync } from "node:fs";
import { parseRetention } from "#commands/option-values.ts";
import { startPrune, automaticPruneIntervalMs } from "#state/storage/prune/automatic-prune.ts";
import { Folder } from "../../support/folder.ts";
import { eventually } from "../../support/wait.ts";

function recorder(folder: Folder): string {
  const path = folder.file("program", `#!/bin/sh\necho "$@" >> ${folder.at("words")}\n`);
  chmodSync(path, 0o755);
  return path;
}

const retention = { olderThanMs: 90 * 86_400_000, keepBytes: 500_000_000 };

const starts = (folder: Folder): string =>
  existsSync(folder.at("words")) ? readFileSync(folder.at("words"), "utf8") : "";

const ago = (ms: number): number => (Date.now() - ms) / 1000;

test("a process is started with the rules, and not again on the same day", async () => {
  using folder = new Folder();
  const program = recorder(folder);
  const line = "prune --older-than 90d --keep-bytes 500000000 --automatic --yes\n";
  await startPrune(retention, folder.path, program);
  await eventually("the first start", () => starts(folder) === line);
  await startPrune(retention, folder.path, program);
  utimesSync(
    folder.at("prune.lock"),
    ago(automaticPruneIntervalMs - 60_000),
    ago(automaticPruneIntervalMs - 60_000),
  );
  await startPrune(retention, folder.path, program);
  utimesSync(
    folder.at("prune.lock"),
    ago(automaticPruneIntervalMs + 1),
    ago(automaticPruneIntervalMs + 1),
  );
  await startPrune({ ...retention, keepBytes: undefined }, folder.path, program);
  const second = `${line}prune --older-than 90d --automatic --yes\n`;
  await eventually("the second start", () => starts(folder) === second);
});

const parseRule = (name: string, text: string) =>
  parseRetention({ [name]: text }, { age: name, size: "none" });

test.each([
  ["100000s", "100000s"],
  ["999999s", "999999s"],
  ["3600s", "1h"],
  ["25h", "25h"],
  ["999999h", "999999h"],
  ["50000d", "50000d"],
  ["999999d", "142857w"],
  ["999999w", "999999w"],
])("an age of %s is passed on as one that prune accepts", async (age, passed) => {
  using folder = new Folder();
  const { olderThanMs } = parseRule("prune-older-than", age);
  await startPrune({ olderThanMs, keepBytes: undefined }, folder.path, recorder(folder));
  const words = `prune --older-than ${passed} --automatic --yes\n`;
  await eventually("the start", () => starts(folder) === words);
  expect(parseRule("older-than", passed).olderThanMs).toBe(olderThanMs);
});

test("a time in the future comes from a wrong clock", async () => {
  using folder = new Folder();
  const lock = folder.file("prune.lock", "");
  utimesSync(lock, Date.now() / 1000 + 86_400, Date.now() / 1000 + 86_400);
  await startPrune(retention, folder.path, recorder(folder));
  await eventually("the start", () => starts(folder) !== "");
});

test("nothing is thrown if it cannot be started", async () => {
  using folder = new Folder();
  await startPrune(retention, undefined, "/none");
  await startPrune(retention, folder.at("none"), "/none");
  await startPrune(retention, folder.path, "/none/at/all");
  using linked = new Folder();
  symlinkSync(folder.file("target", ""), linked.at("prune.lock"));
  await startPrune(retention, linked.path, recorder(linked));
  expect(starts(linked)).toBe("");
});
