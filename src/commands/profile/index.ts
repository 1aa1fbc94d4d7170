import { exitCodes } from "#kit/errors.ts";
import { defineCommand } from "../command.ts";
import { parseProfileChoice, profileOptionGroups } from "./options.ts";

export const profileCommand = defineCommand({
  name: "profile",
  summary: "Price the definitions of a server, or of your clients' servers",
  usage: "mcp-meter profile [options] (--configured | --url URL | -- <command> [args…])",
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
    ["mcp-meter profile --compare before.json -- ./server", "print what the author changed"],
    [
      "mcp-meter profile --url https://example.com/mcp --header-env Authorization=TOKEN",
      "price a server behind a URL, with the token in the variable TOKEN",
    ],
    [
      "mcp-meter profile --configured --client claude-code",
      "print the cost of all servers of a client before the first prompt",
    ],
  ],
  exits: [
    ["0", "the profile was printed"],
    [
      "2",
      "wrong options, a profile that cannot be compared, no key for --exact, or no confirmation",
    ],
    ["3", "no server started and answered, or the --exact counter did not answer"],
  ],
  usageExit: exitCodes.usage,
  parse: parseProfileChoice,
  load: async () => async (choice, io) =>
    "setup" in choice
      ? (await import("./setup-command.ts")).profileSetup(choice.setup, io)
      : (await import("./command.ts")).profile(choice.server, io),
});
