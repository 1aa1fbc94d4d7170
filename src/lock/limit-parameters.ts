import { schemaMaximumMax } from "#limits.ts";
import { isObject, type JsonObject } from "#wire/json.ts";
import { branchesOf, SchemaWalk } from "./schema-walk.ts";

/** A maximum that a definition states, and the name of the part that states it. */
export type Maximum = { readonly at: number; readonly source: string };

/** Parameters that limit how many items an answer has; compared without case, `_` and `-`. */
const countNames =
  /^(limit|count|size|top|topk|k|n|first|last|take|rows|perpage|pagesize|batchsize|maxcount|maxitems|maxrecords|maxresults|maxrows|numresults|maxnumresults|numberofresults|resultslimit|maxmatches|maxmessages|limitrows|hitsperpage)$/;

/** Parameters that limit the characters or bytes of an answer. */
const sizeNames =
  /^(maxchars|maxcharacters|maxlength|maxbytes|maxanswerchars|maxsize|maxoutputchars)$/;

/** Names of a tool's parameters that would bound the number of items, had they a maximum. */
export function limitParameters(tool: JsonObject): string[] {
  return namedParameters(tool["inputSchema"])
    .filter(({ name }) => countNames.test(normalize(name)))
    .map(({ name }) => name);
}

/** The smallest maximum that a parameter sets on the number of items; undefined without one. */
export function countMaximum(tool: JsonObject): Maximum | undefined {
  return smallestMaximum(maximaOf(tool, countNames));
}

/** The smallest maximum that a parameter sets on the length of an answer; undefined without one. */
export function sizeMaximum(tool: JsonObject): Maximum | undefined {
  return smallestMaximum(maximaOf(tool, sizeNames));
}

/** The smallest of some maxima; undefined for none. */
export function smallestMaximum(maxima: readonly Maximum[]): Maximum | undefined {
  return maxima.toSorted((one, other) => one.at - other.at)[0];
}

function maximaOf(tool: JsonObject, names: RegExp): Maximum[] {
  return namedParameters(tool["inputSchema"])
    .filter(({ name }) => names.test(normalize(name)))
    .flatMap(({ name, schema }) => maximaIn(schema).map((at) => ({ at, source: name })));
}

/** Maxima of a parameter's schema and of its alternatives, as of an optional parameter. */
function maximaIn(schema: JsonObject): number[] {
  const alternatives = [schema, ...branchesOf(schema, "anyOf"), ...branchesOf(schema, "oneOf")];
  return alternatives.flatMap((one) => {
    const most = isObject(one) ? statedMaximum(one) : undefined;
    const isBound = most !== undefined && most > 0 && most <= schemaMaximumMax;
    return isBound ? [Math.floor(most)] : [];
  });
}

function statedMaximum({ maximum, exclusiveMaximum }: JsonObject): number | undefined {
  if (typeof maximum === "number") return maximum;
  return typeof exclusiveMaximum === "number" ? exclusiveMaximum - 1 : undefined;
}

type NamedParameter = { readonly name: string; readonly schema: JsonObject };

/** Parameters at the top of an input schema and one object deeper, where some servers keep paging. */
function namedParameters(input: unknown): NamedParameter[] {
  const walk = new SchemaWalk(input);
  const collect = (rawSchema: unknown, level: number): NamedParameter[] => {
    const properties = walk.enter(rawSchema, level)?.["properties"];
    if (!isObject(properties) || level > 1) return [];
    return Object.entries(properties).flatMap(([name, rawOne]) => {
      const schema = walk.enter(rawOne, level + 1);
      return schema ? [{ name, schema }, ...collect(schema, level + 1)] : [];
    });
  };
  return collect(input, 0);
}

function normalize(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}
