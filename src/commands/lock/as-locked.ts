import { isEstimatorId } from "#estimators/ids.ts";
import type { Lock } from "#lock/lock.ts";
import type { ServerOptions } from "../server/server-options.ts";

/** Counts as the lock was counted, where the user names neither tokenizer, model nor client. */
export function countAsLocked<Options extends Pick<ServerOptions, "reading">>(
  options: Options,
  locked: Lock | undefined,
): Options {
  if (!locked) return options;
  const { reading } = options;
  const isOpen =
    reading.tokenizer === "auto" && reading.model === undefined && reading.client === undefined;
  const { estimator } = locked;
  const tokenizer = isOpen && isEstimatorId(estimator) ? estimator : reading.tokenizer;
  return { ...options, reading: { ...reading, tokenizer } };
}
