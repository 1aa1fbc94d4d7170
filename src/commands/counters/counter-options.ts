import { UserError } from "#kit/errors.ts";
import {
  answerTimeoutDefaultMs,
  parseRedisAddress,
  type RedisLocation,
} from "#state/stores/redis/address.ts";
import type { OptionSpecs, RawOptions } from "../command.ts";
import { parseDurationMs, readText } from "../option-values.ts";
import { describeReason, lowercaseFirst } from "#kit/sentences.ts";

// Every key in Redis contains the name of the fleet. So the name must be short and need no escaping.
export const fleetCharactersMax = 64;

const fileKeyword = "file";

const fleetDefault = "default";

export const counterOptionSpecs: OptionSpecs = {
  counters: {
    value: "URL",
    description:
      'share budget counters with other machines through this Redis: redis://HOST:PORT, or rediss:// for TLS; "file" keeps them in a local file',
    default: fileKeyword,
  },
  fleet: {
    value: "NAME",
    description: "name of the group that shares counters in Redis",
    default: fleetDefault,
  },
  "counter-timeout": {
    value: "SECONDS",
    description: "longest wait for an answer from Redis; sessions then follow --on-counter-failure",
    default: String(answerTimeoutDefaultMs / 1000),
  },
};

// Undefined for counters in the state folder. Errors do not quote the URL: it may contain a password.
export function parseCounterOptions(raw: RawOptions): RedisLocation | undefined {
  const fleet = readText(raw, "fleet") ?? fleetDefault;
  if (!/^[\w.-]+$/.test(fleet) || fleet.length > fleetCharactersMax)
    throw new UserError(counterSentences.fleetMalformed());
  const timeoutMs = parseDurationMs(raw, "counter-timeout");
  const url = readText(raw, "counters") ?? fileKeyword;
  return url === fileKeyword ? undefined : { address: parseRedisAddress(url), fleet, timeoutMs };
}

export const counterSentences = {
  fleetMalformed: () =>
    `Cannot use the value of --fleet: it must be 1 to ${fleetCharactersMax} letters, digits, dots, dashes or underscores`,
  countersUnreadable: (reason: string) =>
    `Cannot read the budget counters: ${describeReason(reason)}`,
  metricsWithoutBudgets: (fault: string) => `Leaving out budget usage: ${lowercaseFirst(fault)}`,
  countersHomeMissing: () => `Cannot find the budget counters: set HOME or XDG_STATE_HOME`,
} as const;
