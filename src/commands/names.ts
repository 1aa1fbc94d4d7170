/** Name of a command. */
export type CommandName = (typeof commandNames)[number];

/** Every command, in the order of help. A list of its own, so that a command line loads no other command. */
export const commandNames = [
  "run",
  "serve",
  "wrap",
  "unwrap",
  "report",
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
