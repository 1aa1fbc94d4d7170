import type { JsonObject } from "#wire/json.ts";
import type { ClientProfile } from "./clients/client-profile.ts";
import type { ExactPrices } from "./exact-prices.ts";
import type { Estimator } from "./estimator.ts";
import type { ModelFamily } from "./models.ts";

/** The reader of the traffic: how its tokens are counted, and the profile of the client in front of its model. */
export type Reader = {
  readonly estimator: Estimator;
  readonly family: ModelFamily;
  readonly profile: ClientProfile;
  /** Context window in tokens. */
  readonly windowTokens: number;
  /** Model named by the user. */
  readonly model: string | null;
  /** The tools of the session by their newest definitions, where there is a session. */
  readonly tools?: KnownTools;
  /** Prices of definitions that the model's maker counted, where there are any. */
  readonly exact?: ExactPrices;
};

/** Tools by their newest definitions. */
type KnownTools = { find(name: string): JsonObject | undefined };
