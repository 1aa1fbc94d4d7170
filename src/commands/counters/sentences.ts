import { inWords } from "#kit/error-words.ts";

export const counterSentences = {
  fleetMalformed: () =>
    `Cannot use the value of --fleet: it must have 1 to 64 letters, digits, dots, dashes or underscores`,
  countersUnreadable: (reason: string) => `Cannot read the budget counters: ${inWords(reason)}`,
  countersHomeMissing: () => `Cannot find the budget counters: set HOME or XDG_STATE_HOME`,
} as const;
