/** The schema of a tool that a change is in. */
export type SchemaSide = "input" | "output";

/** Where in a tool's schemas a change is: `filter.since`, `rows[].id`; an empty path is the whole schema. */
export type SchemaPlace = {
  readonly side: SchemaSide;
  readonly path: string;
  /** True for a schema of `$defs` and its parts, up to the next property. */
  readonly isDefinition?: boolean;
  /** True where a schema that allows more may allow less as a whole, as in a branch of a `oneOf`. */
  readonly isDoubtful?: boolean;
};

/** The place of a schema of `$defs`, which other schemas refer to. */
export function definitionOf(place: SchemaPlace, keyword: string, name: string): SchemaPlace {
  return { ...partOf(place, `.${keyword}.${name}`), isDefinition: true };
}

/** The place of a named property. */
export function propertyOf(place: SchemaPlace, name: string): SchemaPlace {
  const { side, path, isDoubtful } = place;
  const inside = path === "" ? name : `${path}.${name}`;
  return { side, path: inside, ...(isDoubtful === true ? { isDoubtful } : {}) };
}

/** The place of a schema that a keyword holds: `ids[]` for the items of a list, `id (anyOf 2)` for a branch. */
export function partOf({ path, ...place }: SchemaPlace, suffix: string): SchemaPlace {
  return { ...place, path: path === "" ? suffix.replace(/^[. ]/, "") : `${path}${suffix}` };
}

/** The place in words: `parameter filter.since`, `any other field of rows[]`, `the input schema`. */
export function nameOf({ side, path, isDefinition }: SchemaPlace): string {
  if (path === "") return `the ${side} schema`;
  if (isDefinition === true) return `definition ${path}`;
  const noun = side === "input" ? "parameter" : "field";
  const parent = /^(?:(.*)\.)?\*$/s.exec(path);
  if (!parent) return `${noun} ${path}`;
  return `any other ${noun}${parent[1] === undefined ? "" : ` of ${parent[1]}`}`;
}
