import type { ClientId } from "./ids.ts";

/** Where an own command of a client writes: for the user, for a project, or for the user in one project. */
export type AddScope = "user" | "project" | "local";

/** A server to be added by an own command of its client. */
type AddedServer = {
  readonly name: string;
  readonly words: readonly string[];
  /** Names of its variables: their values may be secrets, and stay out of command lines. */
  readonly variables: readonly string[];
  readonly scope: AddScope;
};

/** The own command of a client that adds a server. */
export type AddCommand = {
  /** Commands in their order, as words; none where the client cannot write there. */
  readonly commands: (server: AddedServer) => readonly (readonly string[])[];
  /** True where it rewrites the other entries of the file as well. */
  readonly rewrites: boolean;
};

/** In the place of the value of a variable. */
export const variableValue = "VALUE";

function pairs(variables: readonly string[], option: string): readonly string[] {
  return variables.flatMap((name) => [option, `${name}=${variableValue}`]);
}

function entryJson({ words, variables }: AddedServer, more: object = {}): string {
  const [command, ...args] = words;
  const env = Object.fromEntries(variables.map((name) => [name, variableValue]));
  const own = variables.length === 0 ? {} : { env };
  return JSON.stringify({ ...more, type: "stdio", command, args, ...own });
}

/** Its command drops the first `--` of a line, so that one stands behind the program. */
function withDroppedCut(program: string): AddCommand {
  return {
    rewrites: false,
    commands: ({ name, words, variables, scope }) => {
      const [command = "", ...args] = words;
      const options = ["--scope", scope, ...pairs(variables, "-e")];
      return [[program, "mcp", "add", ...options, name, command, "--", ...args]];
    },
  };
}

/** Claude Code, Gemini CLI and Qwen Code: as their packages do it; the others by their documentation. */
const commands: { readonly [id in ClientId]?: AddCommand } = {
  "claude-code": {
    rewrites: false,
    commands: (server) => {
      const { name, scope } = server;
      const end = ["--scope", scope];
      // It refuses a name that is there.
      return [
        ["claude", "mcp", "remove", name, ...end],
        ["claude", "mcp", "add-json", name, entryJson(server), ...end],
      ];
    },
  },
  codex: {
    rewrites: true,
    commands: ({ name, words, variables, scope }) =>
      scope === "user"
        ? [["codex", "mcp", "add", name, ...pairs(variables, "--env"), "--", ...words]]
        : [],
  },
  "vs-code": {
    rewrites: false,
    commands: (server) =>
      server.scope === "user"
        ? [["code", "--add-mcp", entryJson(server, { name: server.name })]]
        : [],
  },
  "gemini-cli": withDroppedCut("gemini"),
  "qwen-code": withDroppedCut("qwen"),
};

/** The own command of a client that adds a server; undefined where it has none. */
export function addCommand(id: ClientId): AddCommand | undefined {
  return commands[id];
}
