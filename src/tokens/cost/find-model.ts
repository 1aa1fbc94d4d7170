import { nameCharactersMax } from "#kit/limits.ts";
import { isAlphanumeric } from "#kit/text/ascii.ts";
import { type Model, type ModelFamily, modelRows } from "./models.ts";

// Claude Code uses the whole window of its default models (seen with 2.1.332); the windows of Anthropic's other clients are not known.
const clientStems = [
  { stem: "codex", hasWindow: true },
  { stem: "claude-code", hasWindow: true },
  { stem: "claude code", hasWindow: true },
  { stem: "claude", hasWindow: false },
  { stem: "gemini", hasWindow: true },
];

export function findModel(rawName: string): Model | undefined {
  const name = rawName.slice(0, nameCharactersMax).toLowerCase();
  const stem = findStem(name);
  if (stem === undefined) return undefined;
  const version = versionAfter(name.slice(stem.end));
  const rows = modelRows.filter((row) => row.stem === stem.text);
  return rows.findLast((row) => (row.from ?? 0) <= version) ?? rows[0];
}

export function findClientModel(rawName: string): Model | undefined {
  const name = rawName.slice(0, nameCharactersMax).toLowerCase();
  const row = clientStems.find(({ stem }) => name.startsWith(stem));
  const model = row && findModel(row.stem);
  return model && (row.hasWindow ? model : { family: model.family });
}

export function findEstimatorFamily(estimator: string): ModelFamily | undefined {
  return modelRows.findLast((row) => row.family.estimator === estimator)?.family;
}

function findStem(name: string): { readonly text: string; readonly end: number } | undefined {
  for (let start = 0; start < name.length; start += 1) {
    if (start > 0 && isAlphanumeric(name.charCodeAt(start - 1))) continue;
    let longest = "";
    for (const { stem } of modelRows) {
      if (stem.length > longest.length && isWordAt(name, stem, start)) longest = stem;
    }
    if (longest !== "") return { text: longest, end: start + longest.length };
  }
  return undefined;
}

function isWordAt(name: string, stem: string, start: number): boolean {
  const end = start + stem.length;
  const isWordEnd = end >= name.length || !isAlphanumeric(name.charCodeAt(end));
  return isWordEnd && name.startsWith(stem, start);
}

const versionPattern = /^(?:[-_ ][a-z]+)*[-_ ]?v?(\d{1,2})(?![\da-z])(?:[.-](\d{1,2})(?![\da-z]))?/;

/** `-opus-4-7-20260101` → 407, `-3-5-sonnet` → 305; dates and sizes are ignored. Infinity without a version. */
function versionAfter(rest: string): number {
  const found = versionPattern.exec(rest);
  if (found?.[1] === undefined) return Infinity;
  return Number(found[1]) * 100 + Number(found[2] ?? 0);
}
