export type JsonBounds = {
  readonly levelsMax: number;
  readonly sizeMax: number;
};

/** A parser that knows references, such as YAML's, makes values that repeat or contain themselves; the walk ends at the limit. */
export function exceedsBounds(value: unknown, { levelsMax, sizeMax }: JsonBounds): boolean {
  const open: [value: unknown, level: number][] = [[value, 0]];
  let size = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [one, level] = next;
    size += typeof one === "string" ? 1 + one.length : 1;
    if (size > sizeMax || level > levelsMax) return true;
    if (typeof one !== "object" || one === null) continue;
    for (const [name, member] of Object.entries(one)) {
      if (!Array.isArray(one)) size += name.length;
      open.push([member, level + 1]);
    }
  }
  return false;
}
