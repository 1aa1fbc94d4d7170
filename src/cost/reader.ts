import type { ClientProfile } from "./client-profile.ts";
import type { Estimator } from "./estimator.ts";
import type { ModelFamily } from "./models.ts";

/** Who reads the traffic in the end: how its tokens are counted and what its client shows it. */
export type Reader = {
  readonly estimator: Estimator;
  readonly family: ModelFamily;
  readonly profile: ClientProfile;
  /** Context window in tokens. */
  readonly windowTokens: number;
  /** Model named by the user. */
  readonly model: string | null;
};
