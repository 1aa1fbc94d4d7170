import type { ImporterId } from "#history/importers/ids.ts";
import type { LogText } from "#history/imports/importer.ts";
import { keyedSha256, quickHash, sha256 } from "#kit/os/hash.ts";
import { loadTokenizer } from "#state/storage/load-tokenizer.ts";
import type { LogTools } from "#state/storage/logs/read-log.ts";
import type { Estimator } from "#tokens/cost/estimator.ts";
import { resolveEstimator } from "#tokens/estimators/resolve.ts";

// Few counts need to be remembered, because repeated answers are close to each other.
const importTextsRememberedMax = 10_000;

export class LogEstimators {
  readonly #client: ImporterId;
  readonly #known = new Map<string, Estimator>();
  readonly #counts = new Map<string, number>();

  constructor(client: ImporterId) {
    this.#client = client;
  }

  find(model: string | null): Estimator {
    const key = model ?? "";
    const known = this.#known.get(key);
    if (known) return known;
    const choice = { tokenizer: "auto" as const, client: this.#client, model: model ?? undefined };
    const { estimator } = resolveEstimator(choice, { tokenizer: loadTokenizer });
    this.#known.set(key, estimator);
    return estimator;
  }

  count(text: LogText, model: string | null): number {
    const estimator = this.find(model);
    const key = `${estimator.id} ${quickHash(text)}`;
    const tokens = this.#counts.get(key) ?? estimator.count(text.toString());
    if (this.#counts.size >= importTextsRememberedMax) this.#counts.clear();
    this.#counts.set(key, tokens);
    return tokens;
  }
}

export class ClientEstimators {
  readonly #known = new Map<ImporterId, LogEstimators>();

  open(client: ImporterId): LogEstimators {
    const known = this.#known.get(client) ?? new LogEstimators(client);
    this.#known.set(client, known);
    return known;
  }
}

export type LogToolOptions = {
  readonly countsTokens: boolean;
  readonly key: string;
  readonly namesProjects: boolean;
  readonly keepsEntries: boolean;
};

export function makeLogTools(
  estimators: LogEstimators,
  { countsTokens, key, namesProjects, keepsEntries }: LogToolOptions,
): LogTools {
  return {
    sha256,
    hashProject: (folder) => keyedSha256(key, folder),
    nameProject: (folder) => (namesProjects ? findBaseName(folder) : null),
    countTokens: (text, model) => (countsTokens ? estimators.count(text, model) : null),
    keepsEntries,
  };
}

function findBaseName(folder: string): string | null {
  return folder.split(/[\\/]/).findLast((segment) => segment !== "") ?? null;
}
