import { defineCommand } from "../command.ts";
import { parseProfileChoice, profileOptionGroups } from "./options.ts";

export const profileCommand = defineCommand({
  name: "profile",
  summary: "Price the definitions of a server, or of your clients' servers",
  usage: "mcp-meter profile [options] (--configured | --url URL | -- <command> [args…])",
  groups: profileOptionGroups,
  examples: [
    ["mcp-meter profile -- npx -y @modelcontextprotocol/server-memory", "price each tool"],
    [
      "mcp-meter profile --exact --model claude-opus-5 -- ./server",
      "let Anthropic count, with your key",
    ],
    ["mcp-meter profile --compare before.json -- ./server", "print the changes since before.json"],
    [
      "mcp-meter profile --url https://example.com/mcp --header-env Authorization=TOKEN",
      "price a server behind a URL; send the token in the variable TOKEN",
    ],
    ["mcp-meter profile --configured --settings-of claude-code", "price a client's servers"],
  ],
  exits: [
    ["0", "the profile was printed"],
    ["1", "a limit is exceeded, or no client has servers"],
    ["2", "invalid options, an unsuitable --compare file, no key, or no confirmation"],
    ["3", "no server answered (with --max-total: not every server answered), or --exact failed"],
  ],
  parse: parseProfileChoice,
  load: async () => async (choice, io) =>
    "setup" in choice
      ? (await import("./setup-command.ts")).profileSetup(choice.setup, io)
      : (await import("./command.ts")).profile(choice.server, io),
});
