import {
  formatList,
  type BeforeAfter,
  type SchemaDifference,
  type SchemaSide,
} from "./severity-rules.ts";
import type { Gap } from "./schema-gaps.ts";

export function describeSchemaChange(
  side: SchemaSide,
  difference: SchemaDifference,
  values: BeforeAfter,
): string {
  const { path, keyword, narrowed } = difference;
  const location = describePath(side, path);
  const isNew = keyword === "name" && !narrowed;
  return isNew ? `new ${location}` : `${location}${describeDifference(side, difference, values)}`;
}

const phrases: {
  readonly [side in SchemaSide]: {
    readonly [keyword: string]: readonly [narrowed: string, widened: string];
  };
} = {
  input: {
    name: [" removed: stop sending it", ""],
    required: [" now required: send it", " now optional"],
    enum: ["stop sending", "also takes"],
  },
  output: {
    name: [" removed", ""],
    required: [" now always present", " may now be absent"],
    enum: ["no longer", "expect"],
  },
};

function describeDifference(
  side: SchemaSide,
  { keyword, narrowed, widened }: SchemaDifference,
  values: BeforeAfter,
): string {
  const [narrowedPhrase = "", widenedPhrase = ""] = phrases[side][keyword] ?? [];
  if (keyword === "name" || keyword === "required")
    return narrowed ? narrowedPhrase : widenedPhrase;
  if (values.after === "none") return " no longer allowed";
  if (values.before === "none") return " now allowed";
  const lists = [
    ...describeGapValues(narrowedPhrase, narrowed),
    ...describeGapValues(widenedPhrase, widened),
  ];
  if (lists.length > 0) return `: ${lists.join(", ")}`;
  return keyword === "" ? " changed" : `: ${keyword} ${pickVerb(values)}`;
}

function describeGapValues(verb: string, gap: Gap | undefined): string[] {
  return gap?.lost ? [`${verb} ${formatList(gap.lost)}`] : [];
}

export function pickVerb({ before, after }: BeforeAfter): "added" | "removed" | "changed" {
  return before === undefined ? "added" : after === undefined ? "removed" : "changed";
}

export function describePath(side: SchemaSide, path: string): string {
  if (path === "") return `the ${side} schema`;
  const noun = side === "input" ? "parameter" : "field";
  const parent = /^\.?(.*?)\.\*$/s.exec(path)?.[1];
  if (parent === undefined) return `${noun} ${path.replace(/^\./, "")}`;
  return `any other ${noun}${parent === "" ? "" : ` of ${parent}`}`;
}
