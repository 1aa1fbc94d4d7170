export type SchemaSide = "input" | "output";

/** `filter.since`, `rows[].id`; empty for the whole schema. */
export type SchemaPlace = {
  readonly side: SchemaSide;
  readonly path: string;
};

export function propertyOf(place: SchemaPlace, name: string): SchemaPlace {
  const { side, path } = place;
  return { side, path: path === "" ? name : `${path}.${name}` };
}

/** `ids[]` for the items of a list, `id (anyOf 2)` for a branch. */
export function partOf({ path, ...place }: SchemaPlace, suffix: string): SchemaPlace {
  return { ...place, path: path === "" ? suffix.replace(/^[. ]/, "") : `${path}${suffix}` };
}

/** `parameter filter.since`, `any other field of rows[]`, `the input schema`. */
export function nameOf({ side, path }: SchemaPlace): string {
  if (path === "") return `the ${side} schema`;
  const noun = side === "input" ? "parameter" : "field";
  const parent = /^(?:(.*)\.)?\*$/s.exec(path);
  if (!parent) return `${noun} ${path}`;
  return `any other ${noun}${parent[1] === undefined ? "" : ` of ${parent[1]}`}`;
}
