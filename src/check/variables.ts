import { isObject, type JsonObject } from "#wire/json.ts";

/** Variables of the environment. */
export type Environment = { readonly [name: string]: string | undefined };

/** The place of a mistake inside arguments, and a clause about it. */
type ArgumentFault = { readonly fault: string; readonly path: readonly string[] };

const marks = /\$\$\{|\$\{([A-Za-z_]\w*)\}|\$\{/g;

/**
 * Replaces `${NAME}` in the texts of `args` by the value of that variable, and `$${` by `${`. Adds each value to
 * `secrets` under its name.
 */
export function fillVariables(
  args: JsonObject,
  env: Environment,
  secrets: Map<string, string>,
): { readonly sent: JsonObject } | ArgumentFault {
  let fault: ArgumentFault | undefined;
  const fillText = (text: string, path: readonly string[]): string =>
    text.replaceAll(marks, (mark: string, name: string | undefined) => {
      if (mark === "$${") return "${";
      const value = name !== undefined && Object.hasOwn(env, name) ? env[name] : undefined;
      if (name !== undefined && value !== undefined) {
        secrets.set(name, value);
        return value;
      }
      fault ??= {
        fault: name === undefined ? unreadable : `the variable ${name} is not set`,
        path,
      };
      return mark;
    });
  const fill = (value: unknown, path: readonly string[]): unknown => {
    if (typeof value === "string") return fillText(value, path);
    if (Array.isArray(value)) return value.map((item, at) => fill(item, [...path, String(at)]));
    return isObject(value) ? fillObject(value, path) : value;
  };
  const fillObject = (value: JsonObject, path: readonly string[]): JsonObject =>
    Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, fill(member, [...path, name])]),
    );
  const sent = fillObject(args, []);
  return fault ?? { sent };
}

/** The text that `fillVariables` turns into this one. */
export function withoutVariables(args: JsonObject): JsonObject {
  const written = (value: unknown): unknown => {
    if (typeof value === "string") return value.replaceAll("${", () => "$${");
    if (Array.isArray(value)) return value.map(written);
    return isObject(value) ? withoutVariables(value) : value;
  };
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, written(value)]));
}

const unreadable =
  '"${" must be followed by the name of a variable and "}"; the text "${" is written as "$${"';
