import { findProjectName } from "#history/importers/log-fields.ts";
import type { ImporterId } from "#history/importers/ids.ts";
import type { LogText } from "#history/imports/importer.ts";
import { keyedSha256, quickHash, sha256 } from "#kit/os/hash.ts";
import { loadTokenizer } from "#state/storage/load-tokenizer.ts";
import type { LogUtils } from "#state/storage/logs/read-log.ts";
import { isJsonSpace, openBrace, openBracket } from "#kit/text/ascii.ts";
import type { Estimator } from "#tokens/cost/estimator.ts";
import { resolveEstimator } from "#tokens/estimators/index.ts";
import { isJsonText } from "#tokens/estimators/scaled.ts";

// Counts are kept for this many texts. Most texts that a log repeats come again soon after their first occurrence.
const importTextsRememberedMax = 10_000;

export class LogEstimators {
  readonly #client: ImporterId;
  readonly #known = new Map<string, CachingEstimator>();

  constructor(client: ImporterId) {
    this.#client = client;
  }

  find(model: string | null): Estimator {
    return this.#open(model).estimator;
  }

  count(text: LogText, model: string | null): number {
    const { estimator, counts } = this.#open(model);
    const key = quickHash(text);
    const known = counts.get(key);
    if (known !== undefined) return known;
    const tokens =
      typeof text === "string" ? estimator.count(text) : countTokensOfUtf8(estimator, text);
    if (counts.size >= importTextsRememberedMax) counts.clear();
    counts.set(key, tokens);
    return tokens;
  }

  #open(model: string | null): CachingEstimator {
    const key = model ?? "";
    const known = this.#known.get(key);
    if (known) return known;
    const choice = { tokenizer: "auto" as const, client: this.#client, model: model ?? undefined };
    const { estimator } = resolveEstimator(choice, { loadTokenizer });
    const opened = { estimator, counts: new Map<bigint, number>() };
    this.#known.set(key, opened);
    return opened;
  }
}

type CachingEstimator = { readonly estimator: Estimator; readonly counts: Map<bigint, number> };

// Decodes only text that may be JSON, because decoding adds a quarter to the time of counting.
function countTokensOfUtf8({ chunks }: Estimator, utf8: Buffer): number {
  const first = utf8.find((byte) => !isJsonSpace(byte));
  const mayBeJson = first === openBrace || first === openBracket;
  const isJson = mayBeJson && isJsonText(utf8.toString());
  return chunks.toTokens(chunks.countUnits(utf8), utf8.length, isJson);
}

export class EstimatorsByClient {
  readonly #known = new Map<ImporterId, LogEstimators>();

  open(client: ImporterId): LogEstimators {
    const known = this.#known.get(client) ?? new LogEstimators(client);
    this.#known.set(client, known);
    return known;
  }
}

export type LogUtilOptions = {
  readonly countsTokens: boolean;
  readonly measuresTexts: boolean;
  readonly key: string;
  readonly namesProjects: boolean;
  readonly keepsEntries: boolean;
};

export function makeLogUtils(
  estimators: LogEstimators,
  { countsTokens, measuresTexts, key, namesProjects, keepsEntries }: LogUtilOptions,
): LogUtils {
  return {
    sha256,
    hashProject: (folder) => keyedSha256(key, folder),
    nameProject: (folder) => (namesProjects ? findProjectName(folder) : null),
    countTokens: (text, model) => (countsTokens ? estimators.count(text, model) : null),
    measuresTexts,
    keepsEntries,
  };
}
