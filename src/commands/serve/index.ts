import { exitCodes } from "#kit/errors.ts";
import { defineCommand } from "../command.ts";
import { processOptionSpecs } from "../run/options.ts";
import { parseServeOptions, serveOptionGroups } from "./options.ts";

export const serveCommand = defineCommand({
  name: "serve",
  summary: "Meter a server behind a URL, at an address on this machine",
  usage: "mcp-meter serve --url URL [options]",
  groups: serveOptionGroups,
  examples: [
    ["mcp-meter serve --url https://example.com/mcp --port 4321", "meter a server behind a URL"],
    [
      "mcp-meter serve --url https://example.com/mcp --header-env Authorization=TOKEN",
      "send the token in the variable TOKEN with every request",
    ],
    [
      "mcp-meter serve --url https://example.com/mcp --budget search=2000 --budget 500k/session",
      "limit each search, and each conversation",
    ],
    [
      "mcp-meter serve --url http://localhost:3001/mcp --idle-exit 10m --summary json",
      "exit after ten minutes without a request",
    ],
  ],
  exits: [
    ["0", "a signal or --idle-exit ended it"],
    ["2", "wrong options, or the port is taken"],
  ],
  usageExit: exitCodes.usage,
  isConfigured: true,
  ignored: processOptionSpecs,
  parse: parseServeOptions,
  load: async () => (await import("./command.ts")).serve,
});
