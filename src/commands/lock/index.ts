import { defineCommand } from "../command.ts";
import { lockOptionGroups, parseLockOptions } from "./options.ts";

export const lockCommand = defineCommand({
  name: "lock",
  summary: "Pin the definitions of a server and their cost, and detect drift",
  usage: "mcp-meter lock [--check] [options] (--url URL | -- <command> [args…])",
  groups: lockOptionGroups,
  examples: [
    ["mcp-meter lock -- ./server", "write mcp-meter.lock"],
    ["mcp-meter lock --check --max-increase 5% -- ./server", "fail on drift or growth over 5%"],
    ["mcp-meter lock --check --url https://example.com/mcp", "compare a server behind a URL"],
  ],
  exits: [
    [
      "0",
      "the lock is up to date or was written (with --dry-run: would be written); with --check, no drift reaches the severity of --fail-on",
    ],
    ["1", "a limit is exceeded or, with --check, drift reaches the severity of --fail-on"],
    ["2", "invalid options, an unreadable lock, or --check without a lock"],
    ["3", "the server did not start or answer, or listed no tools"],
  ],
  parse: parseLockOptions,
  load: async () => (await import("./command.ts")).lock,
});
