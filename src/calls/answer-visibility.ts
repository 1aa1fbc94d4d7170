import { describeError, describeResult } from "#cost/methods.ts";
import { countParts } from "#cost/price.ts";
import type { Reader } from "#cost/reader.ts";
import { readingOf } from "#cost/reading.ts";
import { mostOf, type Visibility } from "#cost/visibility.ts";
import type { Call } from "./call.ts";
import type { Closing } from "./outcome.ts";

const nothing: Visibility = { visible: [], wire: [], duplicate: [] };

/**
 * The parts of the answer that ended a call; none where nothing was parsed. Clients differ in which half of an answer
 * with both a result and an error they read, so it counts as the dearer.
 */
export function visibilityOfAnswer(
  { method, asked }: Pick<Call, "method" | "asked">,
  { result, error }: Pick<Closing, "result" | "error">,
  reader: Reader,
): Visibility {
  const reading = readingOf(reader, asked);
  const ofError = error === undefined ? undefined : describeError(method, error, reading);
  if (result === undefined) return ofError ?? nothing;
  const ofResult = describeResult(method, result, reading);
  if (!ofError) return ofResult;
  const isDearer = countParts(mostOf(ofError), reader) > countParts(mostOf(ofResult), reader);
  return isDearer ? ofError : ofResult;
}
