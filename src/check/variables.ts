import { isObject, type JsonObject } from "#wire/json.ts";

export type Environment = { readonly [name: string]: string | undefined };

type TextFault = { readonly fault: string; readonly path: readonly string[] };

// `$${A}` means the text `${A}`; `${$}${A}` puts a `$` before the value of A.
const variableMarks = /\$\$\{|\$\{\$\}|\$\{([A-Za-z_]\w*)\}|\$\{/g;

export function fillVariables(
  args: JsonObject,
  env: Environment,
  secrets: Map<string, string>,
): { readonly filledArguments: JsonObject } | TextFault {
  let fault: TextFault | undefined;
  const fillText: MapText = (text, path) =>
    text.replaceAll(variableMarks, (mark: string, name: string | undefined) => {
      if (mark === "$${") return "${";
      if (mark === "${$}") return "$";
      const value = name !== undefined && Object.hasOwn(env, name) ? env[name] : undefined;
      if (name !== undefined && value !== undefined) {
        secrets.set(name, value);
        return value;
      }
      fault ??= {
        fault: name === undefined ? malformedVariable : `the variable ${name} is not set`,
        path,
      };
      return mark;
    });
  const filledArguments = mapMembers(args, [], fillText);
  return fault ?? { filledArguments };
}

export function unescapeTexts(value: unknown): { readonly value: unknown } | TextFault {
  let fault: TextFault | undefined;
  const unescaped = mapTexts(value, [], (text, path) =>
    text.replaceAll(variableMarks, (mark) => {
      if (mark !== "$${") fault ??= { fault: misplacedVariable, path };
      return "${";
    }),
  );
  return fault ?? { value: unescaped };
}

export function escapeVariables(args: JsonObject): JsonObject {
  return mapMembers(args, [], (text) => text.replaceAll("${", () => "$${"));
}

type MapText = (text: string, path: readonly string[]) => string;

function mapTexts(value: unknown, path: readonly string[], mapText: MapText): unknown {
  if (typeof value === "string") return mapText(value, path);
  if (Array.isArray(value)) {
    return value.map((item, at) => mapTexts(item, [...path, String(at)], mapText));
  }
  return isObject(value) ? mapMembers(value, path, mapText) : value;
}

function mapMembers(value: JsonObject, path: readonly string[], mapText: MapText): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      mapTexts(member, [...path, name], mapText),
    ]),
  );
}

const malformedVariable =
  '"${" must be followed by the name of a variable and "}"; to write a literal "${", use "$${"';

const misplacedVariable =
  'variables are allowed only in arguments; to write a literal "${", use "$${"';
