import { expect, test } from "bun:test";
import { renderCommandHelp, renderProgramHelp } from "#commands/help.ts";
import { commands } from "#commands/index.ts";

const all = Object.values(commands);
const run = commands["run"] ?? expect.unreachable();
const report = commands["report"] ?? expect.unreachable();
const plain = { columns: undefined, color: false };

test("programHelp begins with the commands, one per line, each by its name", async () => {
  const text = await renderProgramHelp(all, run, plain);
  const [, usage, list] = text.split("\n\n");
  expect(usage).toStartWith("Usage: mcp-meter [run] [options] -- <command> [args…]\n");
  const [heading, ...lines] = (list ?? "").split("\n");
  expect(heading).toBe("Commands:");
  expect(lines.map((line) => line.trim().split(/ {2,}/))).toEqual([
    ...all.map(({ name, summary }) => [name, summary]),
    ["help", "Show help for a command"],
  ]);
});

test("commandHelp has usage, options under their headings, examples, environment and exit codes", async () => {
  const text = await renderCommandHelp(report, plain, true);
  const headings = [...text.matchAll(/^([A-Z][A-Za-z ]*):/gm)].map(([, heading]) => heading);
  expect(headings).toEqual([
    "Usage",
    "Table",
    "Records",
    "Output",
    "Other reports",
    "General",
    "Examples",
    "Exit codes",
    "Environment",
  ]);
  for (const fragment of [report.usage, report.summary, "-h, --help", "-V, --version"]) {
    expect(text).toContain(fragment);
  }
  for (const [line, purpose] of report.examples) {
    expect(text).toContain(`  # ${purpose}\n  ${line}\n`);
  }
});

test("help names no types, and shows values and defaults", async () => {
  for (const command of all) {
    const text = await renderCommandHelp(command, plain, true);
    expect(text).not.toMatch(/\[(?:string|boolean|array|default)/);
    for (const [name, { value }] of Object.entries(command.options)) {
      expect(text).toContain(value === undefined ? `--${name} ` : `--${name} ${value} `);
    }
  }
  expect(await renderCommandHelp(report, plain, true)).toMatch(/[(]default:\s+table[)]/);
});

test("help wraps options to the width of the terminal, but not examples", async () => {
  for (const columns of [60, 80]) {
    const [options = ""] = (await renderCommandHelp(run, { columns, color: false }, true)).split(
      "\nExamples:",
    );
    const longest = Math.max(...options.split("\n").map((line) => line.length));
    expect(longest).toBeLessThanOrEqual(columns);
    expect(longest).toBeGreaterThan(columns - 12);
  }
});

test("help prints headings in bold where there are colors, and nothing else", async () => {
  const [bold, text] = await Promise.all(
    [true, false].map((color) => renderCommandHelp(report, { columns: 80, color })),
  );
  expect(bold).toContain("\u001b[1mUsage:\u001b[22m mcp-meter report");
  expect(Bun.stripANSI(bold ?? "")).toBe(text ?? "");
  expect(text).not.toContain("\u001b");
});

test("help names the options that no variable sets, as an enumeration", async () => {
  const [lock, check, reports] = await Promise.all(
    ["lock", "check", "report"].map((name) =>
      renderCommandHelp(commands[name] ?? report, plain, true),
    ),
  );
  expect(lock).toContain(
    "  Each option except --check, --dry-run, --force, --output, --header and\n  --header-env can be set by a variable: MCP_METER_LOCK for --lock.\n",
  );
  expect(check).toContain(
    "  Each option except --dry-run, --no-lock, --output, --header and --header-env\n  can be set by a variable: MCP_METER_CALLS for --calls.\n",
  );
  expect(reports).toContain(
    "  Only --timezone, --machine, --format, --json, --wide, --cost and --prices can\n",
  );
});

test("help of a command that no variable sets has no example of one", async () => {
  for (const command of all)
    expect(await renderCommandHelp(command, plain, true)).not.toMatch(/_ for --\./);
  const text = await renderCommandHelp(commands["record"] ?? report, plain);
  expect(text).toContain("Environment:\n  --output cannot be set by a variable.\n  NO_COLOR=1");
});
