import { isObject, type JsonObject } from "#wire/json.ts";
import { SchemaWalk } from "#wire/schema-walk.ts";

export const narrowingNamesMax = 8;

// The longest paths are like `query.options.page_size`.
const parameterLevelsMax = 3;

export const parameterPathCharactersMax = 100;

/** Names of parameters that limit rows, as `normalizeName` writes them. */
export const rowLimitNames =
  /^(limit|count|size|top|topk|k|n|first|last|take|rows|perpage|pagesize|batchsize|maxcount|maxitems|maxrecords|maxresults|maxrows|numresults|maxnumresults|numberofresults|resultslimit|maxmatches|maxmessages|limitrows|hitsperpage)$/;

/** Exact names of the arguments whose value is recorded as the row limit of a call. */
export const rowLimitMembers = ["limit", "maxRowsLimit", "pageSize", "max_rows_limit", "page_size"];

export const sizeLimitNames =
  /^(maxchars|maxcharacters|maxlength|maxbytes|maxanswerchars|maxsize|maxoutputchars)$/;

const otherNarrowingNames =
  /^(head|tail|offset|length|lines|maxlines|numlines|startline|endline|startindex|viewrange|range|fields|returnfields|depth|maxdepth|maxtokens|tokenlimit|samplesize)$/;

const plainPath = /^[\w.$-]+$/;

/** Paths such as `options.page_size`. Sorted, because a server may list members in any order. */
export function findNarrowingParameters({
  inputSchema: schema,
}: JsonObject): readonly string[] | undefined {
  if (!isObject(schema)) return undefined;
  const paths = new Set<string>();
  collectNarrowing(new SchemaWalk(schema), { schema, path: "", level: 0 }, paths);
  return [...paths].slice(0, narrowingNamesMax);
}

type SchemaLocation = { readonly schema: unknown; readonly path: string; readonly level: number };

function collectNarrowing(
  walk: SchemaWalk,
  { schema, path, level }: SchemaLocation,
  paths: Set<string>,
): void {
  const entered = walk.enter(schema, level);
  const properties = entered?.["properties"];
  if (!isObject(properties) || level >= parameterLevelsMax) return;
  for (const name of Object.keys(properties).toSorted()) {
    if (paths.size >= narrowingNamesMax) return;
    const parameter = `${path}${name}`;
    if (parameter.length > parameterPathCharactersMax || !plainPath.test(parameter)) continue;
    if (isNarrowingName(name)) paths.add(parameter);
    collectNarrowing(
      walk,
      { schema: properties[name], path: `${parameter}.`, level: level + 1 },
      paths,
    );
  }
}

function isNarrowingName(name: string): boolean {
  const plain = normalizeName(name);
  return rowLimitNames.test(plain) || sizeLimitNames.test(plain) || otherNarrowingNames.test(plain);
}

export function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}
