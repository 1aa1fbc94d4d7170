import type { JsonObject } from "#wire/json.ts";
import type { ClientProfile } from "./clients/client-profile.ts";
import type { ExactPrices } from "./exact-prices.ts";
import type { Estimator } from "./estimator.ts";
import type { ModelFamily } from "./models.ts";

export type Reader = {
  readonly estimator: Estimator;
  readonly family: ModelFamily;
  readonly profile: ClientProfile;
  readonly windowTokens: number;
  readonly model: string | null;
  readonly tools?: KnownTools;
  readonly exact?: ExactPrices;
};

export type ChooseReader = (clientName: string | undefined, clientVersion?: string) => Reader;

type KnownTools = { find(name: string): JsonObject | undefined };
