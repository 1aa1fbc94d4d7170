import { isObject, type JsonObject } from "#wire/json.ts";
import { SchemaWalk } from "#wire/schema-walk.ts";

export const narrowingNamesMax = 8;

// As in `options.page_size`.
const parameterLevelsMax = 3;

export const parameterPathCharactersMax = 100;

export const countNames =
  /^(limit|count|size|top|topk|k|n|first|last|take|rows|perpage|pagesize|batchsize|maxcount|maxitems|maxrecords|maxresults|maxrows|numresults|maxnumresults|numberofresults|resultslimit|maxmatches|maxmessages|limitrows|hitsperpage)$/;

export const sizeNames =
  /^(maxchars|maxcharacters|maxlength|maxbytes|maxanswerchars|maxsize|maxoutputchars)$/;

const partNames =
  /^(head|tail|offset|length|lines|maxlines|numlines|startline|endline|startindex|viewrange|range|fields|returnfields|depth|maxdepth|maxtokens|tokenlimit|samplesize)$/;

// No quotes needed, and nothing that a terminal acts on.
const plainPath = /^[\w.$-]+$/;

/** Paths such as `options.page_size`, sorted by level so that key order does not matter; undefined without a schema. */
export function narrowingParameters({
  inputSchema: schema,
}: JsonObject): readonly string[] | undefined {
  if (!isObject(schema)) return undefined;
  const paths = new Set<string>();
  collect(new SchemaWalk(schema), { schema, path: "", level: 0 }, paths);
  return [...paths].slice(0, narrowingNamesMax);
}

type Place = { readonly schema: unknown; readonly path: string; readonly level: number };

function collect(walk: SchemaWalk, { schema, path, level }: Place, paths: Set<string>): void {
  const entered = walk.enter(schema, level);
  const properties = entered?.["properties"];
  if (!isObject(properties) || level >= parameterLevelsMax) return;
  for (const name of Object.keys(properties).toSorted()) {
    if (paths.size >= narrowingNamesMax) return;
    const own = `${path}${name}`;
    if (own.length > parameterPathCharactersMax || !plainPath.test(own)) continue;
    if (isNarrowing(name)) paths.add(own);
    collect(walk, { schema: properties[name], path: `${own}.`, level: level + 1 }, paths);
  }
}

function isNarrowing(name: string): boolean {
  const plain = normalizedName(name);
  return countNames.test(plain) || sizeNames.test(plain) || partNames.test(plain);
}

export function normalizedName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}
