import type { Problem } from "#check/report.ts";

/** The problems, where several rounds of one call have the same one as a single problem with their number. */
export function mergeRounds(problems: readonly Problem[]): readonly Problem[] {
  const groups = Map.groupBy(problems, ({ line, rule, about, text }) =>
    JSON.stringify(line === null ? [rule, about, text] : [line, rule, text]),
  );
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first || others.length === 0) return first ?? [];
    return { ...first, about: `${first.about ?? ""}, ${others.length + 1} rounds` };
  });
}
