import { driftRules, type DriftKind } from "../drift.ts";
import { changeOf, listText, type DefinitionChange, type Values } from "./change.ts";
import { validatorFor, type Validates } from "./examples.ts";
import { Gaps, type Gap } from "./gaps.ts";
import { Shapes } from "./shapes.ts";
import { firstNewText, textRows } from "./texts.ts";

const examplesMax = 200;

// Changes beyond it are undecided.
const proofsMax = 200;

export type SchemaSide = "input" | "output";

type Row = {
  readonly path: string;
  readonly keyword: string;
  /** The old schema accepts values that the new one may not. */
  readonly gone?: Gap;
  /** The new schema accepts values that the old one may not. */
  readonly come?: Gap;
};

/** A BREAKING change has an example: a value that was accepted, or an answer that was not possible. */
export function schemaChanges(side: SchemaSide, values: Values): DefinitionChange[] {
  const { before, after } = values;
  const [was, is] = [new Shapes(before), new Shapes(after)];
  const gone = new Gaps(was, is).find([before], [after]);
  const come = new Gaps(is, was).find([after], [before]);
  const rows = presentRows(side, rowsFrom(gone, come));
  const prove = prover(side === "input" ? [before, after] : [after, before]);
  const changes = [
    ...rows.map((row) => schemaChange(side, row, prove)),
    ...textRows(values).map(({ path, keyword, ...texts }) => {
      const what = `${placeName(side, path)}: ${keyword} ${verbFor(texts)}`;
      return { ...changeOf("text_changed", what, texts), at: `${side}${path}:${keyword}` };
    }),
  ];
  const isShown = changes.some(({ kind }) => /BREAKING|RISKY/.test(driftRules[kind].severity));
  // New text in any keyword is a risk, also where no rule reads it.
  const added = isShown ? undefined : firstNewText(before, after, true);
  if (!added) return changes;
  const what = `${placeName(side, "")}: new text${added.path === "" ? "" : ` in ${added.path}`}`;
  return [...changes, changeOf("text_changed", what, { before: undefined, after: added.text })];
}

function rowsFrom(gone: readonly Gap[], come: readonly Gap[]): Row[] {
  const rows = new Map<string, Row>();
  for (const [side, gaps] of [
    ["gone", gone],
    ["come", come],
  ] as const) {
    const first = new Map<string, string>();
    for (const gap of gaps) {
      const { path, keyword, origin } = gap;
      const rule = JSON.stringify([origin, keyword]);
      // A definition is reported where a reference leads to it first.
      if (origin !== undefined && (first.get(rule) ?? path) !== path) continue;
      first.set(rule, path);
      const key = JSON.stringify([path, keyword]);
      const row = rows.get(key) ?? { path, keyword };
      const known = row[side];
      rows.set(key, { ...row, [side]: known ? joined(known, gap) : gap });
    }
  }
  return [...rows.values()];
}

function joined(gap: Gap, other: Gap): Gap {
  const lost = gap.lost && other.lost && [...new Set([...gap.lost, ...other.lost])];
  return {
    ...gap,
    ...(lost && { lost }),
    examples: () => [gap, other].values().flatMap((one) => one.examples()),
  };
}

/** A parameter that is new and required, or a field that was removed, is one row. */
function presentRows(side: SchemaSide, rows: readonly Row[]): Row[] {
  const named = new Set(rows.flatMap(({ path, keyword }) => (keyword === "name" ? [path] : [])));
  const isDemand = ({ path, keyword, gone }: Row): boolean =>
    side === "input" && keyword === "required" && gone !== undefined && named.has(path);
  const demanded = new Set(rows.filter(isDemand).map(({ path }) => path));
  return rows.filter(({ path, keyword, gone, come }) => {
    // That branches no longer exclude each other is a matter of its other changes.
    if (keyword === "oneOf" && rows.length > 1)
      return (side === "input" ? gone : come) !== undefined;
    if (keyword === "name") return !demanded.has(path);
    return keyword !== "required" || !named.has(path) || demanded.has(path);
  });
}

type Prove = (gap: Gap | undefined) => string | undefined;

function prover([from, to]: readonly [unknown, unknown]): Prove {
  let left = proofsMax;
  let judges: readonly [accepts: Validates, rejects: Validates] | undefined;
  return (gap) => {
    left -= 1;
    if (left < 0) return undefined;
    const [mine, theirs] = (judges ??= [validatorFor(from), validatorFor(to)]);
    const values = Iterator.from(gap?.examples() ?? []).take(examplesMax);
    const found = values.find((value) => mine(value) === true && theirs(value) === false);
    return found === undefined ? undefined : JSON.stringify(found);
  };
}

function schemaChange(side: SchemaSide, row: Row, prove: Prove): DefinitionChange {
  const { path, keyword, gone, come } = row;
  const values = gone
    ? { before: gone.from, after: gone.to }
    : { before: come?.to, after: come?.from };
  const place = placeName(side, path);
  const isNew = keyword === "name" && !gone;
  const what = isNew ? `new ${place}` : `${place}${wordsFor(side, row, values)}`;
  const { kind, example } = judge(side, row, values, prove);
  const proof = example === undefined ? {} : { example };
  return { ...changeOf(kind, what, values), at: `${side}${path}:${keyword}`, ...proof };
}

function judge(
  side: SchemaSide,
  row: Row,
  values: Values,
  prove: Prove,
): { readonly kind: DriftKind; readonly example?: string | undefined } {
  const { keyword, gone, come } = row;
  // It breaks callers also where the schema accepts any other member: its meaning is lost.
  if (keyword === "name" && gone) return { kind: `${side}_removed`, example: prove(gone) };
  if (keyword === "name") return { kind: `${side}_added` };
  const relied = side === "input" ? gone : come;
  if (!relied) return { kind: `${side}_safe` };
  if (side === "output" && isWidened(row, values)) return { kind: "output_widened" };
  const example = prove(relied);
  return { kind: example === undefined ? `${side}_undecided` : `${side}_breaking`, example };
}

// Callers cope with further values of a field; that some are new is a risk.
function isWidened({ keyword, gone }: Row, { before }: Values): boolean {
  if (["type", "required", ""].includes(keyword) && before !== "none") return false;
  return !gone || (Array.isArray(gone.from) && gone.lost?.length !== gone.from.length);
}

/** In the words of a caller: of values that were accepted, and of values that are accepted now. */
const callersWords: {
  readonly [side in SchemaSide]: {
    readonly [keyword: string]: readonly [gone: string, come: string];
  };
} = {
  input: {
    name: [" removed: stop sending it", ""],
    required: [" required: send it", " optional now"],
    enum: ["stop sending", "also takes"],
  },
  output: {
    name: [" removed", ""],
    required: [" always there now", " may be absent now"],
    enum: ["no longer", "expect"],
  },
};

function wordsFor(side: SchemaSide, { keyword, gone, come }: Row, values: Values): string {
  const [was = "", is = ""] = callersWords[side][keyword] ?? [];
  if (keyword === "name" || keyword === "required") return gone ? was : is;
  if (values.after === "none") return " not allowed any more";
  if (values.before === "none") return " allowed now";
  const lists = [...listed(was, gone), ...listed(is, come)];
  if (lists.length > 0) return `: ${lists.join(", ")}`;
  return keyword === "" ? " changed" : `: ${keyword} ${verbFor(values)}`;
}

function listed(verb: string, gap: Gap | undefined): string[] {
  return gap?.lost ? [`${verb} ${listText(gap.lost)}`] : [];
}

export function verbFor({ before, after }: Values): "added" | "removed" | "changed" {
  return before === undefined ? "added" : after === undefined ? "removed" : "changed";
}

/** `parameter filter.since`, `any other field of rows[]`, `the input schema`. */
function placeName(side: SchemaSide, path: string): string {
  if (path === "") return `the ${side} schema`;
  const noun = side === "input" ? "parameter" : "field";
  const parent = /^\.?(.*?)\.\*$/s.exec(path)?.[1];
  if (parent === undefined) return `${noun} ${path.replace(/^\./, "")}`;
  return `any other ${noun}${parent === "" ? "" : ` of ${parent}`}`;
}
