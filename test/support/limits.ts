// Every limit, for tests that look at all of them.
export * from "#limits/budgets.ts";
export * from "#limits/calls.ts";
export * from "#limits/content.ts";
export * from "#limits/counting.ts";
export * from "#limits/definitions.ts";
export * from "#limits/examination.ts";
export * from "#limits/files.ts";
export * from "#limits/following.ts";
export * from "#limits/forwarding.ts";
export * from "#limits/import.ts";
export * from "#limits/lines.ts";
export * from "#limits/mcp-server.ts";
export * from "#limits/pruning.ts";
export * from "#limits/records.ts";
export * from "#limits/redis.ts";
export * from "#limits/telemetry.ts";
