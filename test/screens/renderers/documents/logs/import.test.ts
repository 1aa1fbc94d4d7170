import { expect, test } from "bun:test";
import { join } from "node:path";
import { claudeCode } from "#history/importers/claude-code.ts";
import { buildImportDocument } from "#screens/renderers/documents/logs/import.ts";
import { renderTerminal } from "#screens/renderers/terminal.ts";
import { logsFolder, reportOf } from "../../../../support/logs.ts";

const at = (day: string): number => Date.parse(`${day}T12:00:00Z`);

async function print(day: string, from?: string): Promise<string> {
  const servers = ["docs", "plugin_notes_notes"];
  const report = await reportOf("claude-code", [join(logsFolder, "claude-code")], servers);
  const document = buildImportDocument([report], [claudeCode], {
    nowMs: at(day),
    ...(from !== undefined && { fromMs: at(from) }),
  });
  return renderTerminal(document, { color: false });
}

test("each client has a row with the tokens of all its requests, and each tool one with its calls", async () => {
  const text = await print("2026-03-20");
  expect(text).toStartWith("Logs of 1 client\n");
  // Read from cache, written to it, and neither: 65,050 + 18,000 + 2,133; of it 76 % read from cache.
  expect(text).toMatch(/Claude Code  2026-03-14 to 2026-03-15 .*2 .*8 .*85,183 .*76% .*550 .*6/);
  expect(text).toMatch(/plugin_notes_notes .*save_note .*1 .*1 /);
});

test("lines that were left out are notes", async () => {
  expect(await print("2026-03-20")).toContain(
    "1 line cannot be read; 1 file with a last line that is not complete yet; 1 record of an unknown type",
  );
});

test("a history that ends where the client deletes sessions has a note about it", async () => {
  const hint = "cleanupPeriodDays";
  expect(await print("2026-04-13")).toContain(hint);
  expect(await print("2026-04-13", "2026-03-01")).toContain(hint);
  expect(await print("2026-04-13", "2026-03-14")).not.toContain(hint);
  expect(await print("2026-03-20")).not.toContain(hint);
  expect(await print("2026-06-20")).not.toContain(hint);
});

test("requests and calls outside of the table are notes", async () => {
  const runs = join(logsFolder, "claude-code-runs");
  const reports = [
    await reportOf("claude-code", [join(runs, "res")]),
    await reportOf("claude-code", [join(runs, "odd")]),
  ];
  const document = buildImportDocument(reports, [claudeCode, claudeCode], {
    nowMs: at("2030-01-01"),
  });
  const text = renderTerminal(document, { color: false });
  const cells = text.split("\n").map((line) => line.split(/ {2,}/));
  const readInput = (name: string): number[] =>
    cells.filter(([first]) => first === name).map((row) => Number(row.at(-4)?.replaceAll(",", "")));
  const [first = 0, second = 0] = readInput("Claude Code");
  expect(readInput("total")).toEqual([first + second]);
  expect(text).toContain("1 request known only from the client's session totals");
  expect(text).toContain("2 calls rejected by the client (2 denied, 0 to unknown tools)");
});

test("without a client it says so", () => {
  const text = renderTerminal(buildImportDocument([], [], { nowMs: 0 }), { color: false });
  expect(text).toStartWith("No logs");
});

test("calls that reports have from now on come with the next command", async () => {
  const report = await reportOf("claude-code", [join(logsFolder, "claude-code")]);
  const printFrom = (firstDay: string | undefined) => {
    const document = buildImportDocument([report], [claudeCode], { nowMs: 0, firstDay });
    return renderTerminal(document, { color: false });
  };
  expect(printFrom("2026-03-14")).toContain(
    "next         to see which calls fill the context, run:\n             mcp-meter report --since 2026-03-14",
  );
  expect(printFrom(undefined)).not.toContain("next");
});

test("a narrow terminal has the columns that matter, and projects have rows where they are named", async () => {
  const report = await reportOf("claude-code", [join(logsFolder, "claude-code")]);
  const usage_by_project = { garden: report.usage };
  const document = buildImportDocument([{ ...report, usage_by_project }], [claudeCode], {
    nowMs: 0,
  });
  expect(renderTerminal(document, { color: false })).toMatch(
    /garden +Claude Code +8 .*85,183 .*550/,
  );
  const [first = ""] = renderTerminal(document, { color: false, columns: 44 })
    .split("\n\n")
    .slice(1);
  expect(first.split("\n")[0]).toBe("client       sessions  input tokens  MCP calls");
});
