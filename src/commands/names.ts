export type CommandName = (typeof commandNames)[number];

/** In the order of the help. Separate from the commands, so that parsing a command line loads none of them. */
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
