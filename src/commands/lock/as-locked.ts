import { isEstimatorId } from "#tokens/estimators/ids.ts";
import type { Lock } from "#lock/lock.ts";
import type { ServerOptions } from "../server/server-options.ts";

/** Counts as the lock did, unless the user names tokenizer, model or client. */
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
