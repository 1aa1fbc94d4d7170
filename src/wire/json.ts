export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function readMember(
  value: unknown,
  first: string,
  second?: string,
  third?: string,
): unknown {
  const outer = readOwnMember(value, first);
  if (second === undefined) return outer;
  const inner = readOwnMember(outer, second);
  return third === undefined ? inner : readOwnMember(inner, third);
}

export function readString(
  value: unknown,
  first: string,
  second?: string,
  third?: string,
): string | undefined {
  const found = readMember(value, first, second, third);
  return typeof found === "string" ? found : undefined;
}

export function readArray(value: unknown, first: string, second?: string): readonly unknown[] {
  const found = readMember(value, first, second);
  return Array.isArray(found) ? found : noElements;
}

const noElements: readonly unknown[] = [];

function readOwnMember(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

// Empty for what JSON cannot express: undefined, functions, cycles, nesting beyond the stack.
export function stringifyCompact(value: unknown): string {
  try {
    // The declared type is wrong: undefined and functions give undefined.
    const json: string | undefined = JSON.stringify(value);
    return json ?? "";
  } catch {
    return "";
  }
}

export function removeMeta(value: unknown): unknown {
  if (!isObject(value) || !Object.hasOwn(value, "_meta")) return value;
  const { _meta: _unread, ...otherMembers } = value;
  return otherMembers;
}

type JsonBounds = {
  readonly levelsMax: number;
  readonly sizeMax: number;
};

// YAML values may repeat or contain themselves through references; the walk stops at the limit.
export function exceedsBounds(value: unknown, { levelsMax, sizeMax }: JsonBounds): boolean {
  const open: [value: unknown, level: number][] = [[value, 0]];
  let size = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [element, level] = next;
    size += typeof element === "string" ? 1 + element.length : 1;
    if (size > sizeMax || level > levelsMax) return true;
    if (typeof element !== "object" || element === null) continue;
    for (const [name, member] of Object.entries(element)) {
      if (!Array.isArray(element)) size += name.length;
      open.push([member, level + 1]);
    }
  }
  return false;
}
