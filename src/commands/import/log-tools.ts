import { importTextsRememberedMax } from "#limits/import.ts";
import type { Estimator } from "#cost/estimator.ts";
import { resolveEstimator } from "#estimators/resolve.ts";
import type { ImporterId } from "#importers/ids.ts";
import { keyedSha256, sha256 } from "#os/sha256.ts";
import type { LogTools } from "#storage/logs/open-log.ts";
import { tokenizerFor } from "#storage/vocabulary.ts";

/** Selects the estimator of each model that a client's logs name, as a session of that client would. */
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

  /** Tokens of a text. Counts are remembered: an agent often reads a text again. */
  count(text: string, model: string | null): number {
    const estimator = this.find(model);
    const key = `${estimator.id} ${sha256(text)}`;
    const tokens = this.#counts.get(key) ?? estimator.count(text);
    if (this.#counts.size >= importTextsRememberedMax) this.#counts.clear();
    this.#counts.set(key, tokens);
    return tokens;
  }
}

/** The estimators of each client. */
export class ClientEstimators {
  readonly #known = new Map<ImporterId, LogEstimators>();

  of(client: ImporterId): LogEstimators {
    const known = this.#known.get(client) ?? new LogEstimators(client);
    this.#known.set(client, known);
    return known;
  }
}

/** The treatment of folders of projects. */
type ProjectOptions = {
  /** The secret of this installation, for their hashes. */
  readonly key: string;
  /** True when the user wants their base names. */
  readonly namesProjects: boolean;
};

/** Tools that count tokens by these estimators; without them, none are counted. */
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
