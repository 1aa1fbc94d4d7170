import { diffFrom, diffLines, type RawLine, type TextDiff } from "#kit/text/text-diff.ts";
import { canonicalJson } from "#wire/canonical.ts";
import { isObject, type JsonObject } from "#wire/json.ts";
import { differingMembers } from "./definition-changes.ts";

/** Changed members below the names that lead to them; lists line by line. */
export function diffValues(before: JsonObject, after: JsonObject): TextDiff {
  return diffFrom(memberLines(before, after, ""));
}

function memberLines(before: unknown, after: unknown, margin: string): RawLine[] {
  const members = differingMembers(before, after).toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return members.flatMap(([name, values]) => {
    const label = `${margin}${JSON.stringify(name)}: `;
    if (isObject(values.before) && isObject(values.after)) {
      const inside = memberLines(values.before, values.after, `${margin}  `);
      return [{ sign: " ", text: `${label}{` } as const, ...inside];
    }
    const [was = [], is = []] = [values.before, values.after].map((value) =>
      jsonLines(value, label, margin),
    );
    if (!Array.isArray(values.before) || !Array.isArray(values.after))
      return diffLines(was.join("\n"), is.join("\n"));
    const elements = [was, is].map((lines) => lines.slice(1, -1).join("\n"));
    return [{ sign: " ", text: `${label}[` }, ...diffLines(elements[0] ?? "", elements[1] ?? "")];
  });
}

/** Without commas, so that only changed values differ. */
function jsonLines(value: unknown, label: string, margin: string): string[] {
  if (value === undefined) return [];
  const json = JSON.stringify(JSON.parse(canonicalJson(value)), undefined, 2);
  return `${label}${json.replace(/,$/gm, "").replaceAll("\n", `\n${margin}`)}`.split("\n");
}
