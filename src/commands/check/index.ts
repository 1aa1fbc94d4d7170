import { exitCodes } from "#kit/errors.ts";
import { defineCommand } from "../command.ts";
import { checkOptionGroups, parseCheckOptions } from "./options.ts";

export const checkCommand = defineCommand({
  name: "check",
  summary: "Check a server in CI: its lock, its limits and a file of calls",
  usage: "mcp-meter check [options] (--url URL | -- <command> [args…])",
  groups: checkOptionGroups,
  examples: [
    ["mcp-meter check --calls calls.yaml -- ./server", "check lock, definitions and calls"],
    ["mcp-meter check --calls calls.yaml --update -- ./server", "record the answers of the calls"],
    ["mcp-meter check --format junit -- ./server > report.xml", "write a test report"],
    [
      "mcp-meter check --base origin/main --format markdown -- ./server",
      "write the comment of a pull request",
    ],
    [
      "mcp-meter check --calls calls.yaml --url https://example.com/mcp --header-env Authorization=TOKEN",
      "check a server behind a URL, with the token in the variable TOKEN",
    ],
  ],
  exits: [
    ["0", "everything passed"],
    ["1", "drift, an exceeded limit, or a call that failed its check"],
    ["2", "wrong options, a missing or unreadable lock or calls file, or nothing to check"],
    ["3", "the server could not be started or reached, did not answer, or listed no tools"],
  ],
  usageExit: exitCodes.usage,
  parse: parseCheckOptions,
  load: async () => (await import("./command.ts")).check,
});
