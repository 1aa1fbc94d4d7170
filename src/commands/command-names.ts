export type CommandName = (typeof commandNames)[number];

// In the order of the help. This file imports nothing, so that finding a command does not load all commands.
export const commandNames = [
  "run",
  "serve",
  "wrap",
  "unwrap",
  "trim",
  "report",
  "statusline",
  "import",
  "validate",
  "count",
  "profile",
  "lock",
  "check",
  "record",
  "budgets",
  "config",
  "tail",
  "dash",
  "doctor",
  "prune",
  "metrics",
  "mcp",
  "completion",
] as const;

// Names that people try because other tools have them.
const guessesByCommand: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "report",
    "stats statistics usage cost costs spend money summary show top daily weekly monthly history".split(
      " ",
    ),
  ],
  ["report --advice", ["advice", "advise", "optimize", "suggest"]],
  ["report --trend", ["trend", "trends"]],
  ["wrap", ["install", "setup", "init", "enable", "add", "attach"]],
  ["wrap --list", ["list", "ls", "servers"]],
  ["trim", ["hide", "slim", "shrink", "reduce", "unhide"]],
  ["unwrap", ["uninstall", "remove", "rm", "disable", "detach"]],
  ["budgets", ["limit", "limits", "quota", "quotas", "reset"]],
  ["tail", ["watch", "follow", "live", "log", "logs"]],
  ["dash", ["dashboard", "ui", "web", "page", "open"]],
  ["doctor", ["status", "health", "diagnose", "verify"]],
  ["profile", ["tools", "price", "inspect", "analyze"]],
  ["count", ["tokens", "tokenize", "estimate"]],
  ["prune", ["clean", "cleanup", "clear", "purge", "delete", "gc"]],
  ["metrics", ["prometheus", "export"]],
  ["check", ["diff", "test", "ci"]],
  ["serve", ["proxy", "http"]],
  ["config", ["settings", "options"]],
  ["run", ["start", "exec", "meter"]],
]);

export function findGuessedCommand(word: string): string | undefined {
  const name = word.toLowerCase();
  return [...guessesByCommand].find(([, guesses]) => guesses.includes(name))?.[0];
}
