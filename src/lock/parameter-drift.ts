import { createDrift, type Drift } from "./drift.ts";
import type { Parameter } from "./parameters.ts";
import type { DriftKind } from "./severity.ts";

/** Every change of a tool's parameters that its callers may notice. */
export function parameterDrifts(
  tool: string,
  before: readonly Parameter[],
  after: readonly Parameter[],
): Drift[] {
  const known = new Map(before.map((one) => [one.name, one]));
  const present = new Set(after.map((one) => one.name));
  const removed = before
    .filter(({ name }) => !present.has(name))
    .map(({ name }) => parameterDrift("parameter_removed", tool, name, ["accepted", "removed"]));
  const added = after
    .filter(({ name }) => !known.has(name))
    .map((one) => addedDrift(tool, one, known));
  const changed = after.flatMap((one) => {
    const old = known.get(one.name);
    return old ? changedDrifts(tool, old, one) : [];
  });
  return [...removed, ...added, ...changed];
}

type BeforeAfter = readonly [before: string, after: string];

function parameterDrift(
  kind: DriftKind,
  tool: string,
  name: string,
  [before, after]: BeforeAfter,
): Drift {
  return createDrift(kind, tool, { what: `parameter ${name}`, before, after });
}

/** A parameter that is required inside an object that is new as well breaks no caller. */
function addedDrift(
  tool: string,
  { name, required }: Parameter,
  known: ReadonlyMap<string, Parameter>,
): Drift {
  const parent = parentName(name);
  const isBreaking = required && (parent === undefined || known.has(parent));
  return isBreaking
    ? parameterDrift("required_parameter_added", tool, name, ["none", "required"])
    : parameterDrift("optional_parameter_added", tool, name, ["none", "optional"]);
}

function changedDrifts(tool: string, old: Parameter, { name, required, type }: Parameter): Drift[] {
  const drifts: Drift[] = [];
  if (!old.required && required) {
    drifts.push(parameterDrift("parameter_became_required", tool, name, ["optional", "required"]));
  }
  if (old.required && !required) {
    drifts.push(parameterDrift("parameter_became_optional", tool, name, ["required", "optional"]));
  }
  if (!accepts(old.type, type)) {
    const types = [old.type ?? "any", type ?? "any"] as const;
    drifts.push(parameterDrift("parameter_type_changed", tool, name, types));
  }
  return drifts;
}

/** True when every value of the old type is valid for the new one. */
function accepts(before: string | null, after: string | null): boolean {
  return after === null || before === after || (before === "integer" && after === "number");
}

/** `filter.since` → `filter`, `ids[].value` → `ids`; undefined at the top. */
function parentName(name: string): string | undefined {
  const cut = name.lastIndexOf(".");
  return cut < 0 ? undefined : name.slice(0, cut).replaceAll("[]", "");
}
