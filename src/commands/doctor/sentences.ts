export const doctorSentences = {
  policyOpen: (names: readonly string[] | string) =>
    `Locked budgets depend on ${[names].flat().join(", ")}, which users can still choose`,
  redisForbids: (address: string, commands: readonly string[] | string) =>
    `The Redis at ${address} does not let its user run ${[commands].flat().join(", ")}, which budget counters need`,
} as const;
