import { expect, setDefaultTimeout } from "bun:test";
import { join } from "node:path";
import { readString } from "#wire/json.ts";
import { collectedDefinitions, replay, scratch } from "../support/replay.ts";
import { eachFirst } from "../support/slow-cases.ts";
import { trickyDefinitions } from "../support/tricky-definitions.ts";
import { legacyInput } from "./lines.ts";
import { makeHome, runMeter, waitMaxMs } from "./run.ts";

setDefaultTimeout(4 * waitMaxMs);

const folder = scratch();
const captured = collectedDefinitions().filter(({ name }) => /^(git|playwright)\.json$/.test(name));
const tricky = { name: "tricky", file: folder.write("tricky.json", trickyDefinitions) };

const cases = [tricky, ...captured].flatMap(({ name, file }) =>
  ["claude", "o200k"].map((tokenizer) => [name, tokenizer, file] as const),
);

type Printed = {
  readonly definitions?: {
    readonly tokens?: number;
    readonly total_tokens?: number | { readonly after: number };
  };
  readonly total_tokens?: { readonly after: number };
  readonly total?: number;
};

const notATool =
  "The list of tools has 1 entry that is not a tool; clients may reject the whole list";
const rejected =
  'The input schemas of 6 tools are not of type "object"; the first belongs to "bare"; clients reject the whole list, so "mcp-meter check" and "mcp-meter lock --check" will fail';
const listedTwice =
  'The server lists the tool "search" more than once; clients may use any of the definitions, so "mcp-meter check" and "mcp-meter lock --check" will fail';

eachFirst(2, cases)("%s under %s", async (name, tokenizer, file) => {
  const home = makeHome();
  const counted = ["--tokenizer", tokenizer];
  const json = async (
    command: readonly string[],
    warnings: readonly string[],
    status = 0,
  ): Promise<Printed> => {
    const ended = await runMeter(home, command);
    expect([command[0], ended.status]).toEqual([command[0], status]);
    const said = name === tricky.name ? warnings : [];
    expect(ended.stderr).toBe(said.map((warning) => `mcp-meter: ${warning}\n`).join(""));
    return JSON.parse(ended.stdout);
  };
  const [plain, shuffled] = [replay(file), replay(file, "--shuffle")];
  const profile = await json(["profile", "--format=json", ...counted, "--", ...plain], [notATool]);
  const lock = await json(
    ["lock", "--format=json", ...counted, "--", ...shuffled],
    [notATool, listedTwice, rejected],
  );
  // Both fail for such a list.
  const failed = name === tricky.name ? 1 : 0;
  const again = await json(
    ["lock", "--check", "--format=json", "--", ...plain],
    [notATool],
    failed,
  );
  const check = await json(["check", "--format=json", "--", ...shuffled], [notATool], failed);
  const log = join(home.path, "log.ndjson");
  const summary = ["--summary", "json", "--log", log, ...counted];
  const run = await runMeter(home, [...summary, "--", ...shuffled], { input: legacyInput([]) });
  const ran: Printed = JSON.parse(run.stderr);
  const report = await json(["report", "--json", log], []);
  // A model is named: without one, a vocabulary counts the text of the list.
  const count = ["count", "--json", ...counted, "--model", "gpt-5", file];
  const list: Printed = JSON.parse((await runMeter(home, count)).stdout);
  const total = ran.definitions?.tokens;
  expect(total).toBeGreaterThan(100);
  expect(readString(ran, "estimation", "estimator")).toBe(tokenizer);
  expect({
    profile: profile.definitions?.total_tokens,
    lock: lock.total_tokens?.after,
    again: again.total_tokens?.after,
    check: check.definitions?.total_tokens,
    report: report.definitions?.tokens,
    count: list.total,
  }).toMatchObject({
    profile: total,
    lock: total,
    again: total,
    check: { after: total },
    report: total,
    count: total,
  });
  home.remove();
});
