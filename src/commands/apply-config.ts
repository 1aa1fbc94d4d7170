import { UserError } from "#kit/errors.ts";
import type { ConfigMistake } from "#state/storage/config/config-file.ts";
import type { ConfigEntry, MergedConfig } from "#state/storage/config/merge-configs.ts";
import { lockedBudgets } from "#meter/budgets/locked-budgets.ts";
import type { RawOptions } from "./command.ts";

export type ConfiguredOptions = {
  readonly options: RawOptions;
  readonly implicit: ReadonlySet<string>;
  readonly mistakes: readonly ConfigMistake[];
};

export type FinishOptions = (options: RawOptions) => RawOptions;

type Piece = { readonly name: string; readonly entry: ConfigEntry };

/** Values of files yield to `explicit` options. A rejected one is dropped if the command line does not name its file; else throws UserError. */
export function applyConfig(
  explicit: RawOptions,
  config: MergedConfig,
  check: FinishOptions,
): ConfiguredOptions {
  const entries = [...config].filter(([name]) => explicit[name] === undefined);
  const isImplicit = ([, { origin }]: (typeof entries)[number]): boolean => origin.isImplicit;
  const named = entries.filter((entry) => !isImplicit(entry));
  const fixed = { ...valuesOf(named), ...explicit };
  const implicit = entries.filter(isImplicit);
  const whole = attempt(check, { ...valuesOf(implicit), ...fixed });
  if ("options" in whole) return { ...whole, implicit: namesOf(implicit), mistakes: [] };
  return addOneByOne(fixed, implicit.flatMap(piecesOf), check);
}

/** An option may need another one, so rejected ones are tried again until none is accepted. */
function addOneByOne(
  fixed: RawOptions,
  pieces: readonly Piece[],
  check: FinishOptions,
): ConfiguredOptions {
  let accepted = fixed;
  let left = pieces;
  let rejections = new Map<Piece, string>();
  const implicit = new Set<string>();
  for (let isChanged = true; isChanged;) {
    const before = left.length;
    rejections = new Map();
    for (const piece of left) {
      const next = withPiece(accepted, piece);
      const tried = attempt(check, next);
      if ("options" in tried) {
        accepted = next;
        implicit.add(piece.name);
      } else rejections.set(piece, tried.fault);
    }
    left = [...rejections.keys()];
    isChanged = left.length > 0 && left.length < before;
  }
  const mistakes = [...rejections].map(([{ name, entry }, fault]) => ({
    file: entry.origin.file,
    fault,
    what: name.replaceAll("-", "_"),
  }));
  return { options: check(accepted), implicit, mistakes };
}

function attempt(
  check: FinishOptions,
  options: RawOptions,
): { readonly options: RawOptions } | { readonly fault: string } {
  try {
    return { options: check(options) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { fault: error.message };
  }
}

const budgetsNames: ReadonlySet<string> = new Set(["budgets", lockedBudgets]);

/** A mistake in one budget must not cost the others. */
function piecesOf([name, entry]: readonly [string, ConfigEntry]): readonly Piece[] {
  if (!budgetsNames.has(name)) return [{ name, entry }];
  return budgetsIn(entry.value).map((one) => ({
    name,
    entry: { ...entry, value: JSON.stringify([one]) },
  }));
}

function withPiece(options: RawOptions, { name, entry: { value } }: Piece): RawOptions {
  if (!budgetsNames.has(name)) return { ...options, [name]: value };
  const all = [...budgetsIn(options[name]), ...budgetsIn(value)];
  return { ...options, [name]: JSON.stringify(all) };
}

function budgetsIn(json: RawOptions[string]): readonly unknown[] {
  const budgets: unknown = typeof json === "string" ? JSON.parse(json) : [];
  return Array.isArray(budgets) ? budgets : [];
}

function valuesOf(entries: readonly (readonly [string, ConfigEntry])[]): RawOptions {
  return Object.fromEntries(entries.map(([name, { value }]) => [name, value]));
}

function namesOf(entries: readonly (readonly [string, ConfigEntry])[]): ReadonlySet<string> {
  return new Set(entries.map(([name]) => name));
}
