import type { Io } from "#kit/io.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import type { BaseLock, LockTerms } from "#lock/lock-report.ts";
import type { ProfileTerms } from "#lock/profile.ts";
import { sha256 } from "#kit/os/sha256.ts";
import type { ComparisonOptions } from "./lock/options.ts";
import { readerFor } from "./reader.ts";
import type { ServerOptions } from "./server/server-options.ts";

/** `env` is that of the client, where a profile may depend on the machine. */
export function profileTerms(
  { reading, risk }: Pick<ServerOptions, "reading" | "risk">,
  env?: Io["env"],
): ProfileTerms {
  return {
    reader: readerFor(reading, env)("mcp-meter"),
    thresholds: risk ?? riskThresholdsDefault,
    hash: sha256,
  };
}

export function lockTerms(
  options: ComparisonOptions & Pick<ServerOptions, "risk">,
  base: BaseLock | undefined,
): LockTerms {
  const { file, limits, failOn, risk } = options;
  return { lockFile: file, limits, failOn, thresholds: risk ?? riskThresholdsDefault, base };
}
