import { describeError, describeResult } from "#tokens/cost/methods.ts";
import type { Reading } from "#tokens/cost/reading.ts";
import { ceilingOf, type Visibility } from "#tokens/cost/visibility.ts";
import type { Closing } from "./outcome.ts";

const nothing: Visibility = { visible: [], wire: [], duplicate: [] };

/** None where nothing was parsed. Clients differ in which half of an answer with both a result and an error they read: it counts as the dearer. */
export function visibilityOfAnswer(
  method: string,
  { result, error }: Pick<Closing, "result" | "error">,
  reading: Reading,
): Visibility {
  const ofError = error === undefined ? undefined : describeError(method, error, reading);
  if (result === undefined) return ofError ?? nothing;
  const ofResult = describeResult(method, result, reading);
  if (!ofError) return ofResult;
  const tokens = ({ most, visible }: Visibility): number =>
    reading.count(most ?? visible, Infinity);
  const dearer = tokens(ofError) > tokens(ofResult) ? ofError : ofResult;
  if (!ofResult.ceiling) return dearer;
  return { ...dearer, ceiling: () => [...ceilingOf(ofResult), ...ceilingOf(ofError)] };
}
