import { budgetsOptionSpecs } from "./budgets/options.ts";
import { checkOptionSpecs } from "./check/options.ts";
import type { CommandSpec } from "./command.ts";
import { exitCodes } from "#errors.ts";
import { countOptionSpecs } from "./count/options.ts";
import { lockOptionSpecs } from "./lock/options.ts";
import { profileOptionSpecs } from "./profile/options.ts";
import { reportOptions } from "./report/options.ts";
import { runOptionSpecs } from "./run/options.ts";

/** Every command by name; its modules are loaded when it is asked for. */
export const commands: { readonly [name: string]: CommandSpec } = {
  run: {
    summary: "Meter a server: put it in front of any stdio MCP server",
    usage: "mcp-meter [run] [options] -- <command> [args…]",
    options: runOptionSpecs,
    examples: [
      ["mcp-meter -- npx -y @modelcontextprotocol/server-memory", "meter a server"],
      ["mcp-meter --summary markdown --summary-file cost.md -- ./server", "keep the summary"],
      ["mcp-meter --model claude-opus-5 --log calls.ndjson -- ./server", "count for one model"],
    ],
    usageExit: exitCodes.runFailed,
    load: async () => (await import("./run/command.ts")).run,
  },
  report: {
    summary: "Print the summary of record files, one or many sessions",
    usage: "mcp-meter report [options] FILE…",
    options: reportOptions,
    examples: [
      ["mcp-meter report calls.ndjson", "what the session printed at exit"],
      ['mcp-meter report --json "sessions/**/*.ndjson"', "all sessions as one JSON object"],
    ],
    usageExit: exitCodes.usage,
    load: async () => (await import("./report/command.ts")).report,
  },
  count: {
    summary: "Count the tokens of files or stdin",
    usage: "mcp-meter count [options] [FILE…]",
    options: countOptionSpecs,
    examples: [
      ["mcp-meter count answer.json", "the number alone"],
      ["git diff | mcp-meter count --limit 8000", "end with 1 when it is more"],
      ["mcp-meter count --model claude-opus-5 docs/*.md", "a table with a total"],
    ],
    usageExit: exitCodes.usage,
    load: async () => (await import("./count/command.ts")).count,
  },
  profile: {
    summary: "Price what a server lists before anyone calls it",
    usage: "mcp-meter profile [options] -- <command> [args…]",
    options: profileOptionSpecs,
    examples: [
      ["mcp-meter profile -- npx -y @modelcontextprotocol/server-memory", "price a server"],
      [
        "mcp-meter profile --model claude-opus-5 --format json -- ./server",
        "for one model, as JSON",
      ],
    ],
    usageExit: exitCodes.usage,
    load: async () => (await import("./profile/command.ts")).profile,
  },
  lock: {
    summary: "Write down what a server lists and costs, and tell when it drifts",
    usage: "mcp-meter lock [--check] [options] -- <command> [args…]",
    options: lockOptionSpecs,
    examples: [
      ["mcp-meter lock -- ./server", "write mcp-meter.lock"],
      ["mcp-meter lock --check --max-increase 5% -- ./server", "fail when the server has drifted"],
    ],
    usageExit: exitCodes.usage,
    load: async () => (await import("./lock/command.ts")).lock,
  },
  check: {
    summary: "Hold a server against its lock, its budgets and a file of calls, for CI",
    usage: "mcp-meter check [options] -- <command> [args…]",
    options: checkOptionSpecs,
    examples: [
      ["mcp-meter check --calls calls.yaml -- ./server", "lock, definitions and calls"],
      ["mcp-meter check --calls calls.yaml --update -- ./server", "record what the calls answer"],
      ["mcp-meter check --format junit -- ./server > report.xml", "for a reader of test reports"],
    ],
    usageExit: exitCodes.usage,
    load: async () => (await import("./check/command.ts")).check,
  },
  budgets: {
    summary: "Show what is left of the budgets that outlive a session",
    usage: "mcp-meter budgets [--reset TOOL] [--json]",
    options: budgetsOptionSpecs,
    examples: [
      ["mcp-meter budgets", "every counter per minute, hour and day on this machine"],
      ["mcp-meter budgets --reset 'fetch_*'", "begin anew for some tools"],
    ],
    usageExit: exitCodes.usage,
    load: async () => (await import("./budgets/command.ts")).budgets,
  },
};
