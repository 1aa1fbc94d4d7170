import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { answerBudgets } from "#commands/mcp/budgets-tool.ts";
import { servedAnswerTokensMax } from "#commands/mcp/answer-limits.ts";
import { loadTokenizer } from "#state/storage/load-tokenizer.ts";
import { countersFile } from "#state/stores/store.ts";
import { SqliteStore } from "#state/stores/sqlite/sqlite-store.ts";
import { Folder, rejectionOf } from "../../support/folder.ts";

type Row = readonly [server: string | null, tool: string | null];

function machine(rows: readonly Row[]): Folder {
  const folder = new Folder();
  mkdirSync(folder.at("mcp-meter"));
  const path = folder.at("mcp-meter", countersFile);
  new SqliteStore({ path, holder: "test" }).close();
  using database = new Database(path);
  const insert = database.query(
    "INSERT INTO counters VALUES (?, 'month', 10000, 'error', ?, 5000, 0, ?)",
  );
  database.transaction(() => {
    for (const [server, tool] of rows) {
      const key = JSON.stringify([server, tool, tool, "tokens", "month", 0]);
      insert.run(key, Number.MAX_SAFE_INTEGER, Date.now());
    }
  })();
  return folder;
}

const ask = (folder: Folder, args: Parameters<typeof answerBudgets>[0] = {}) =>
  answerBudgets(args, {
    io: { platform: "linux", env: { XDG_STATE_HOME: folder.path } },
    now: Date.now,
  });

const rows: readonly Row[] = [
  ["github", "search_code"],
  ["github", null],
  ["memory", "read_graph"],
  [null, null],
];

describe("answerBudgets", () => {
  test("is the table of the command, filtered by the requested names", async () => {
    using folder = machine(rows);
    const all = await ask(folder);
    expect(all).toStartWith("4 budget counters\n\nserver  tool         budget");
    expect(all).toMatch(/\ngithub +search_code +10,000 tokens\/month:error +5,000 +0 +5,000 +/);
    expect(await ask(folder, { server: "git*" })).toStartWith("2 budget counters\n");
    expect(await ask(folder, { server: "git*", tool: "s*" })).toStartWith("1 budget counter\n");
    expect(await ask(folder, { server: "(all)" })).toMatch(
      /^1 budget counter\n[^]*\n\(all\) +\(all\)/,
    );
  });

  test("without counters says how they come about, and without a match that there is none", async () => {
    using empty = machine([]);
    expect(await ask(empty)).toStartWith("No budget counters yet; ");
    using folder = machine(rows);
    expect(await ask(folder, { tool: "fruit" })).toBe(
      'No match in 4 budget counters; leave out "server" and "tool" to list all',
    );
  });

  test("many counters are shortened", async () => {
    using folder = machine(Array.from({ length: 400 }, (_, at): Row => ["github", `tool_${at}`]));
    const answer = await ask(folder);
    const tokens = Math.round(loadTokenizer("o200k_base").count(answer) * 1.55);
    expect(tokens).toBeLessThanOrEqual(servedAnswerTokensMax);
    expect(answer).toStartWith("400 budget counters\n");
    expect(answer).toMatch(/\n\nShortened to \d+ rows; narrow the answer with "server" or "tool"$/);
  });

  test("counters that cannot be read are a sentence", async () => {
    using folder = new Folder();
    mkdirSync(folder.at("mcp-meter"));
    writeFileSync(folder.at("mcp-meter", countersFile), "not a database ".repeat(90));
    expect(await rejectionOf(ask(folder))).toMatch(
      /^UserError: Cannot read ".*counters\.sqlite": /,
    );
    expect(
      await rejectionOf(answerBudgets({}, { io: { platform: "linux", env: {} }, now: Date.now })),
    ).toContain("set HOME");
  });
});
