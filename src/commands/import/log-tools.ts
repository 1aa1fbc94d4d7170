import type { Estimator } from "#tokens/cost/estimator.ts";
import { resolveEstimator } from "#tokens/estimators/resolve.ts";
import type { ImporterId } from "#history/importers/ids.ts";
import { keyedSha256, sha256 } from "#kit/os/sha256.ts";
import type { LogTools } from "#state/storage/logs/open-log.ts";
import { tokenizerFor } from "#state/storage/vocabulary.ts";

// Answers that recur are near each other.
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
    const { estimator } = resolveEstimator(choice, { tokenizer: tokenizerFor });
    this.#known.set(key, estimator);
    return estimator;
  }

  /** Counts are cached: an agent often reads a text again. */
  count(text: string, model: string | null): number {
    const estimator = this.find(model);
    const key = `${estimator.id} ${sha256(text)}`;
    const tokens = this.#counts.get(key) ?? estimator.count(text);
    if (this.#counts.size >= importTextsRememberedMax) this.#counts.clear();
    this.#counts.set(key, tokens);
    return tokens;
  }
}

export class ClientEstimators {
  readonly #known = new Map<ImporterId, LogEstimators>();

  of(client: ImporterId): LogEstimators {
    const known = this.#known.get(client) ?? new LogEstimators(client);
    this.#known.set(client, known);
    return known;
  }
}

type ProjectOptions = {
  readonly key: string;
  readonly namesProjects: boolean;
};

export function logTools(
  estimators: LogEstimators | undefined,
  { key, namesProjects }: ProjectOptions = { key: "", namesProjects: false },
): LogTools {
  return {
    sha256,
    projectHash: (folder) => keyedSha256(key, folder),
    projectName: (folder) => (namesProjects ? baseName(folder) : null),
    countTokens: (text, model) => estimators?.count(text, model) ?? null,
  };
}

function baseName(folder: string): string | null {
  return folder.split(/[\\/]/).findLast((part) => part !== "") ?? null;
}
