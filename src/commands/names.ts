export type CommandName = (typeof commandNames)[number];

/** In the order of help. Apart from the commands, so that reading a command line loads none of them. */
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
