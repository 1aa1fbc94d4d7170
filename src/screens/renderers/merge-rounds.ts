import type { Problem } from "#check/report.ts";

export function mergeRounds(problems: readonly Problem[]): readonly Problem[] {
  const groups = Map.groupBy(problems, ({ place, line, rule, about, text }, at) =>
    // Tools have no rounds: the same problem twice is that of two tools of one name.
    place === "calls"
      ? JSON.stringify(line === null ? [rule, about, text] : [line, rule, text])
      : at,
  );
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first || others.length === 0) return first ?? [];
    return { ...first, about: `${first.about ?? ""}, ${others.length + 1} rounds` };
  });
}
