import type { Drift, DriftKind, Severity } from "./severity.ts";
import type { Parameter } from "./parameters.ts";

/**
 * What changed for those who call a tool. Gone and newly required parameters break their calls; a
 * parameter that is required inside an object that is new as well breaks nobody.
 */
export function parameterDrifts(
  tool: string,
  before: readonly Parameter[],
  after: readonly Parameter[],
): Drift[] {
  const known = new Map(before.map((one) => [one.name, one]));
  const present = new Map(after.map((one) => [one.name, one]));
  const isNew = (name: string): boolean => !known.has(name);
  const make = (
    severity: Severity,
    kind: DriftKind,
    { name }: Parameter,
    was: string,
    is: string,
  ): Drift => ({ severity, kind, tool, what: `parameter ${name}`, before: was, after: is });
  const removed = before
    .filter(({ name }) => !present.has(name))
    .map((one) => make("BREAKING", "parameter_removed", one, "accepted", "gone"));
  const added = after
    .filter(({ name }) => isNew(name))
    .map((one) => {
      const parent = parentOf(one.name);
      const breaks = one.required && (parent === undefined || !isNew(parent));
      return breaks
        ? make("BREAKING", "required_parameter_added", one, "none", "required")
        : make("SAFE", "optional_parameter_added", one, "none", "optional");
    });
  const changed = after.flatMap((one) => {
    const old = known.get(one.name);
    if (!old) return [];
    const drifts: Drift[] = [];
    if (old.required !== one.required) {
      drifts.push(
        one.required
          ? make("BREAKING", "parameter_became_required", one, "optional", "required")
          : make("SAFE", "parameter_became_optional", one, "required", "optional"),
      );
    }
    if (!accepts(old.type, one.type)) {
      const [was, is] = [old.type ?? "any", one.type ?? "any"];
      drifts.push(make("BREAKING", "parameter_type_changed", one, was, is));
    }
    return drifts;
  });
  return [...removed, ...added, ...changed];
}

/** True when whatever was of the old type is of the new one. */
function accepts(before: string | null, after: string | null): boolean {
  return after === null || before === after || (before === "integer" && after === "number");
}

/** `filter.since` → `filter`, `ids[].value` → `ids`; undefined at the top. */
function parentOf(name: string): string | undefined {
  const cut = name.lastIndexOf(".");
  return cut < 0 ? undefined : name.slice(0, cut).replaceAll("[]", "");
}
