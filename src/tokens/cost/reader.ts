import type { JsonObject } from "#wire/json.ts";
import { noCaller } from "#wire/message.ts";
import type { ClientProfile } from "./client-profiles/client-profile.ts";
import type { Estimation, Estimator } from "./estimator.ts";
import type { MakerCounts } from "./maker-counts.ts";
import type { ModelFamily } from "./models.ts";

// A client and its model. The token count of an answer depends on both.
export type Reader = {
  readonly estimator: Estimator;
  readonly family: ModelFamily;
  readonly profile: ClientProfile;
  readonly windowTokens: number;
  readonly model: string | null;
  readonly tools?: { find(name: string): JsonObject | undefined };
  readonly makerCounts?: MakerCounts;
};

export type ChooseReader = (clientName: string | undefined, clientVersion?: string) => Reader;

export function describeReaderEstimation(
  reader: Pick<Reader, "estimator" | "profile">,
): Pick<Estimation, "confidence" | "error"> {
  const { confidence, error } = reader.estimator;
  const { measured, isScripted } = reader.profile;
  if (isScripted(noCaller)) {
    return {
      confidence: "low",
      error: `the counts are upper limits, because this client's scripts read answers before the model does; accuracy of a count: ${error}`,
    };
  }
  if (confidence !== "high") return { confidence, error };
  const reason = measured
    ? "texts that the client adds are counted to within a few tokens"
    : "a client may add text of its own";
  return { confidence: "medium", error: `${error}; ${reason}` };
}
