import {
  rowLimitNames,
  normalizeName,
  sizeLimitNames,
} from "#tokens/cost/narrowing-parameter-names.ts";
import { isObject, readString, type JsonObject } from "#wire/json.ts";
import { listBranches, SchemaWalk } from "#wire/schema-walk.ts";

// A `maximum` above this is not a real bound: schema generators write 2^53 − 1 for any integer.
export const schemaMaximumMax = 1_000_000;

export type Maximum = { readonly value: number; readonly source: string };

// A parameter with a name like `count` may be the number of items to write, as in `insert_rows(count)`.
const ambiguousNames = /^(count|size|top|k|n|first|last|take|rows)$/;

const writingVerb =
  /^(?:add|append|create|delete|drop|edit|fill|insert|merge|move|put|remove|resize|set|update|write)(?:s|es)?$/i;

// As in `insertRows`, `insert_rows` and `INSERT_ROWS`.
const firstWord = /^(?:[A-Z]?[a-z]+|[A-Z]+)/;

export function findLimitParameters(tool: JsonObject): string[] {
  return findCountParameters(tool).map(({ name }) => name);
}

export function findCountMaximum(tool: JsonObject): Maximum | undefined {
  return pickSmallest(collectMaxima(findCountParameters(tool)));
}

export function findSizeMaximum(tool: JsonObject): Maximum | undefined {
  const parameters = collectParameters(tool["inputSchema"]);
  return pickSmallest(
    collectMaxima(parameters.filter(({ name }) => sizeLimitNames.test(normalizeName(name)))),
  );
}

export function pickSmallest(maxima: readonly Maximum[]): Maximum | undefined {
  return maxima.toSorted((a, b) => a.value - b.value)[0];
}

function findCountParameters(tool: JsonObject): NamedParameter[] {
  const isWriter = [readString(tool, "name"), readString(tool, "description")].some((text) =>
    writingVerb.test(firstWord.exec((text ?? "").trim())?.[0] ?? ""),
  );
  return collectParameters(tool["inputSchema"])
    .filter(({ schema }) => mayBeNumber(schema))
    .filter(({ name }) => {
      const normalized = normalizeName(name);
      return rowLimitNames.test(normalized) && !(isWriter && ambiguousNames.test(normalized));
    });
}

function mayBeNumber(schema: JsonObject): boolean {
  const alternatives = [...listBranches(schema, "anyOf"), ...listBranches(schema, "oneOf")];
  const choices = schema["type"] === undefined && alternatives.length > 0 ? alternatives : [schema];
  return choices.filter(isObject).some(({ type }) => {
    const types: readonly unknown[] = Array.isArray(type) ? type : [type ?? "number"];
    return types.some((typeName) => typeName === "integer" || typeName === "number");
  });
}

function collectMaxima(parameters: readonly NamedParameter[]): Maximum[] {
  return parameters.flatMap(({ name, schema }) =>
    readMaxima(schema).map((value) => ({ value, source: name })),
  );
}

function readMaxima(schema: JsonObject): number[] {
  const maximum = Math.floor(
    Math.min(
      readMaximum(schema),
      readBranchMaximum(listBranches(schema, "anyOf")),
      readBranchMaximum(listBranches(schema, "oneOf")),
    ),
  );
  return maximum > 0 && maximum <= schemaMaximumMax ? [maximum] : [];
}

function readMaximum({ maximum, exclusiveMaximum }: JsonObject): number {
  return Math.min(
    typeof maximum === "number" ? maximum : Infinity,
    typeof exclusiveMaximum === "number" ? exclusiveMaximum - 1 : Infinity,
  );
}

// A number needs to fit only one branch. If a parameter may be null, its maximum is often in the numeric branch.
function readBranchMaximum(branches: readonly unknown[]): number {
  const numeric = branches.filter(isObject).filter(mayBeNumber);
  return numeric.length === 0 ? Infinity : Math.max(...numeric.map(readMaximum));
}

type NamedParameter = { readonly name: string; readonly schema: JsonObject };

// Some servers group their paging parameters in an object, so one nested level is searched too.
function collectParameters(input: unknown): NamedParameter[] {
  const walk = new SchemaWalk(input);
  const collect = (rawSchema: unknown, level: number): NamedParameter[] => {
    const properties = walk.enter(rawSchema, level)?.["properties"];
    if (!isObject(properties) || level > 1) return [];
    return Object.entries(properties).flatMap(([name, rawProperty]) => {
      const schema = walk.enter(rawProperty, level + 1);
      return schema ? [{ name, schema }, ...collect(schema, level + 1)] : [];
    });
  };
  return collect(input, 0);
}
