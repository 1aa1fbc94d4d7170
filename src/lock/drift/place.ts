/** The schema of a tool that a change is in. */
export type SchemaSide = "input" | "output";

/** Where in a tool's schemas a change is: `filter.since`, `rows[].id`; an empty path is the whole schema. */
export type SchemaPlace = { readonly side: SchemaSide; readonly path: string };

/** The place of a named property. */
export function propertyOf({ side, path }: SchemaPlace, name: string): SchemaPlace {
  return { side, path: path === "" ? name : `${path}.${name}` };
}

/** The place of a schema that a keyword holds: `ids[]` for the items of a list, `id (anyOf 2)` for a branch. */
export function partOf({ side, path }: SchemaPlace, suffix: string): SchemaPlace {
  return { side, path: path === "" ? suffix.replace(/^[. ]/, "") : `${path}${suffix}` };
}

/** The place in words: `parameter filter.since`, `any other field of rows[]`, `the input schema`. */
export function nameOf({ side, path }: SchemaPlace): string {
  if (path === "") return `the ${side} schema`;
  const noun = side === "input" ? "parameter" : "field";
  const parent = /^(?:(.*)\.)?\*$/s.exec(path);
  if (!parent) return `${noun} ${path}`;
  return `any other ${noun}${parent[1] === undefined ? "" : ` of ${parent[1]}`}`;
}
