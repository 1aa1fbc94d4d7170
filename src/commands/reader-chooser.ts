import type { Calibration } from "#tokens/estimators/user-calibration.ts";
import { resolveEstimator } from "#tokens/estimators/index.ts";
import { findProfile } from "#tokens/cost/client-profiles/recognize-client.ts";
import { defaultWindowTokens } from "#tokens/cost/models.ts";
import type { ClientDetails } from "#tokens/cost/client-profiles/client-profile.ts";
import type { ChooseReader } from "#tokens/cost/reader.ts";
import { loadTokenizer } from "#state/storage/load-tokenizer.ts";
import type { ReaderOptions } from "./reader-options.ts";
import type { Io } from "#kit/io.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import type { ProfileContext } from "#lock/profile.ts";
import { sha256 } from "#kit/os/hash.ts";
import type { ServerOptions } from "./connection-options.ts";

// `env` contains the variables that the client passes to its servers.
export function createReaderChooser(
  options: ReaderOptions & { readonly calibration?: Calibration | undefined },
  env: ClientDetails["env"] = {},
): ChooseReader {
  return (clientName, version) => {
    const client = options.client ?? clientName;
    const { estimator, model } = resolveEstimator(
      {
        tokenizer: options.tokenizer,
        model: options.model,
        client,
        calibration: options.calibration,
      },
      { loadTokenizer },
    );
    return {
      estimator,
      family: model.family,
      profile: findProfile(client, { model: options.model, env, version }),
      windowTokens: options.windowTokens ?? model.windowTokens ?? defaultWindowTokens,
      model: options.model ?? null,
    };
  };
}

export function makeProfileContext(
  { reading, risk }: Pick<ServerOptions, "reading" | "risk">,
  env?: Io["env"],
): ProfileContext {
  return {
    reader: createReaderChooser(reading, env)("mcp-meter"),
    thresholds: risk ?? riskThresholdsDefault,
    hash: sha256,
  };
}
