export type CommandName = (typeof commandNames)[number];

/** In the order of the help. In a separate file, so that parsing words loads no command. */
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
