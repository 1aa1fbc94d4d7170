import type { Profile } from "./profile.ts";
import type { ProfiledTool } from "./recommendations.ts";

export type ProfileComparison = {
  readonly file: string;
  readonly total_tokens: TokenChange;
  readonly instructions_tokens: TokenChange;
  readonly tools_total: { readonly before: number; readonly after: number };
  /** Largest change first. */
  readonly tools: readonly ToolChange[];
};

export type TokenChange = {
  readonly before: number;
  readonly after: number;
  readonly delta: number;
};

export type ToolChange = {
  readonly name: string;
  /** Null for a tool that only the other profile has. */
  readonly before: number | null;
  readonly after: number | null;
  readonly delta: number;
  /** Null where the definition does not declare it. */
  readonly answer: { readonly before: number | null; readonly after: number | null };
};

export type EarlierProfile = Pick<Profile, "definitions" | "instructions"> & {
  readonly estimator: Pick<Profile["estimator"], "id">;
  readonly tools: readonly Pick<ProfiledTool, "name" | "tokens" | "worst_case">[];
};

/** Tools of the same name are compared in order. */
export function compareProfiles(
  file: string,
  before: EarlierProfile,
  after: EarlierProfile,
): ProfileComparison {
  const [earlier, later] = [byKey(before.tools), byKey(after.tools)];
  const keys = new Set([...earlier.keys(), ...later.keys()]);
  const tools = [...keys].map((key) => changeOf(earlier.get(key), later.get(key)));
  const changed = tools.filter(
    ({ before: old, after: now, answer }) => old !== now || answer.before !== answer.after,
  );
  return {
    file,
    total_tokens: change(before.definitions.total_tokens, after.definitions.total_tokens),
    instructions_tokens: change(before.instructions.tokens, after.instructions.tokens),
    tools_total: { before: before.tools.length, after: after.tools.length },
    tools: changed.toSorted((one, other) => Math.abs(other.delta) - Math.abs(one.delta)),
  };
}

type ComparedTool = EarlierProfile["tools"][number];

function byKey(tools: readonly ComparedTool[]): ReadonlyMap<string, ComparedTool> {
  const named = new Map<string, number>();
  return new Map(
    tools.map((tool) => {
      const same = named.get(tool.name) ?? 0;
      named.set(tool.name, same + 1);
      return [`${same} ${tool.name}`, tool];
    }),
  );
}

function changeOf(before: ComparedTool | undefined, after: ComparedTool | undefined): ToolChange {
  return {
    name: (after ?? before)?.name ?? "",
    before: before?.tokens ?? null,
    after: after?.tokens ?? null,
    delta: (after?.tokens ?? 0) - (before?.tokens ?? 0),
    answer: { before: declared(before), after: declared(after) },
  };
}

function declared(tool: ComparedTool | undefined): number | null {
  if (!tool || tool.worst_case.is_assumed) return null;
  return tool.worst_case.tokens;
}

function change(before: number, after: number): TokenChange {
  return { before, after, delta: after - before };
}
