import { exitCodes } from "#errors.ts";
import { defineCommand } from "../command.ts";
import { parseProfileOptions, profileOptionGroups } from "./options.ts";

/** `profile` as the front door uses it. */
export const profileCommand = defineCommand({
  name: "profile",
  summary: "Price the definitions of a server before any call",
  usage: "mcp-meter profile [options] -- <command> [args…]",
  groups: profileOptionGroups,
  examples: [
    [
      "mcp-meter profile -- npx -y @modelcontextprotocol/server-memory",
      "print the tokens of every tool, its largest answer, and advice",
    ],
    [
      "mcp-meter profile --model claude-opus-5 --format json -- ./server",
      "count for one model, print JSON",
    ],
    [
      "mcp-meter profile --exact --model claude-opus-5 -- ./server",
      "ask Anthropic for the price, with the key in ANTHROPIC_API_KEY",
    ],
    ["mcp-meter profile --compare before.json -- ./server", "print what an author has changed"],
  ],
  exits: [
    ["0", "the profile was printed"],
    ["2", "wrong options, a profile that cannot be compared, or no key for --exact"],
    ["3", "the server could not be started, or it or the counter of --exact did not answer"],
  ],
  usageExit: exitCodes.usage,
  parse: parseProfileOptions,
  load: async () => (await import("./command.ts")).profile,
});
