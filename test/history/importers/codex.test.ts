import { describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { type RunningTotalEvent, addUsage, noUsage } from "#history/imports/log-event.ts";
import { mergeLogs } from "#history/imports/merge-logs.ts";
import { codex } from "#history/importers/codex.ts";
import { Folder } from "../../support/folder.ts";
import { logsFolder, readHome, reportOf } from "../../support/logs.ts";

const home = join(logsFolder, "codex");
const expected = JSON.parse(readFileSync(join(home, "expected.json"), "utf8"));

const sumInput = (usage: { input_uncached: number; cache_read: number }): number =>
  usage.input_uncached + usage.cache_read;

describe("the example home", () => {
  test("does not have the totals of naive readers", async () => {
    const counters = (await readHome(codex, home)).flatMap(({ events }) =>
      events.filter((event): event is RunningTotalEvent => event.kind === "running_total"),
    );
    const sum = counters.map(({ last }) => last ?? noUsage).reduce(addUsage, noUsage);
    expect(sum.uncached + sum.cacheRead).toBe(80_900);
    const { usage } = await reportOf("codex", [home]);
    expect(sumInput(usage)).not.toBe(80_900);
  });

  test("is the same if its files are compressed, archived or both, and the plain file comes first", async () => {
    using folder = new Folder();
    cpSync(home, folder.at("home"), { recursive: true });
    const archive = folder.at("home", ".codex", "archived_sessions");
    const day = folder.at("home", ".codex", "sessions", "2026", "03", "15");
    rmSync(archive, { recursive: true });
    mkdirSync(archive);
    const [fork = "", agent = ""] = ["10-00-00-019c0000", "11-00-00-019c0000"].map(
      (start, index) =>
        `rollout-2026-03-15T${start}-0000-7000-8000-0000000000${["b2", "c3"][index]}.jsonl`,
    );
    folder.file(`home/.codex/archived_sessions/${fork}.zst`, packed(join(day, fork)));
    rmSync(join(day, fork));
    folder.file(`home/.codex/sessions/2026/03/15/${agent}.zst`, packed(join(day, agent)));
    renameSync(join(day, agent), join(archive, agent));
    const { about: _about, ...fields } = expected;
    expect(await reportOf("codex", [folder.at("home")], expected.known_servers)).toMatchObject(
      fields,
    );
  });

  test("is the same after the client has migrated it", async () => {
    const migrated = await reportOf("codex", [join(logsFolder, "codex-migrated")], ["docs"]);
    expect(migrated.usage).toEqual(expected.usage);
    expect(migrated.calls.map(({ id }) => id)).toEqual(
      expected.calls.map(({ id }: { id: string }) => id),
    );
  });
});

function packed(path: string): Uint8Array {
  return zstdCompressSync(readFileSync(path));
}

describe("runs of the real client", () => {
  const runs = join(logsFolder, "codex-runs");
  const { usage: billed, naive } = JSON.parse(readFileSync(join(runs, "expected.json"), "utf8"));

  test("have the usage that its model API answered with", async () => {
    const { usage, unknown_records: unknown, sessions } = await reportOf("codex", [runs]);
    expect({
      requests: usage.requests,
      input_tokens: sumInput(usage),
      cached_input_tokens: usage.cache_read,
      output_tokens: usage.output,
      reasoning_output_tokens: usage.reasoning,
    }).toEqual(billed);
    expect(naive.sum_of_token_usage_record).toBe(sumInput(usage));
    expect([unknown, sessions]).toEqual([0, 14]);
  });

  test("have it also without a record for each request, which older versions do not write", async () => {
    const logs = (await readHome(codex, runs)).map(({ events, counts }) => ({
      events: events.filter(({ kind }) => kind !== "request"),
      counts,
    }));
    const { requests } = mergeLogs(logs);
    const sum = requests.map(({ usage }) => usage).reduce(addUsage, noUsage);
    // Not 4,088,000, the difference of totals: a fork's first total includes its parent's.
    expect(sum.uncached + sum.cacheRead).toBe(4_009_000);
    expect(requests).toHaveLength(112);
  });

  test("have calls from scripts, which may have read any part of an answer, and cancelled calls", async () => {
    const { calls, rejected_calls: rejected } = await reportOf("codex", [runs]);
    const scripts = calls.filter(({ id }) => id.startsWith("exec-"));
    expect(scripts).toHaveLength(11);
    expect(new Set(scripts.map(({ visible }) => visible))).toEqual(new Set(["unknown"]));
    expect(calls.filter(({ outcome }) => outcome === "cancelled")).toHaveLength(2);
    expect(rejected).toEqual({ denied: 0, unknown_tool: 1 });
    const reads = calls.filter(({ method }) => method === "resources/read");
    expect(reads.map(({ server, tool }) => [server, tool])).toEqual([
      ["probe", "resources/read"],
      ["probe", "resources/read"],
    ]);
    expect(calls.filter(({ tool }) => tool.startsWith("list_"))).toEqual([]);
    expect(calls.filter(({ server }) => server === "codex")).toEqual([]);
  });
});

const folders = (env: Record<string, string>): string[] =>
  codex.findFolders({ folder: "/h", env, platform: "linux" }).map(({ folder }) => folder);

test("its folder is named by its variable, or is the usual one", () => {
  expect(folders({})).toEqual(["/h/.codex/sessions", "/h/.codex/archived_sessions"]);
  expect(folders({ CODEX_HOME: "/x/" })[0]).toBe("/x/sessions");
  expect(folders({ CODEX_HOME: "x" })[0]).toBe("/h/.codex/sessions");
});
