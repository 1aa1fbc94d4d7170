import { isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import type { LaunchRule } from "./launch-rules.ts";
import { meterWord } from "./meter-word.ts";
import { fillPlaceholders, type PlaceholderValues } from "./placeholders.ts";
import type { ConfiguredServer } from "./servers-in.ts";

export type Launch = {
  readonly command: readonly string[];
  readonly entryEnv: Readonly<{ [name: string]: string }>;
  readonly env: Readonly<{ [name: string]: string }>;
  readonly cwd: string | undefined;
};

export type NoLaunch =
  | { readonly kind: "remote" }
  | { readonly kind: "placeholder"; readonly placeholder: string }
  /** A file of variables that only its client reads. */
  | { readonly kind: "env_file" };

export function launchOf(
  { entry, command }: ConfiguredServer,
  rule: LaunchRule,
  values: PlaceholderValues,
): Launch | NoLaunch {
  const words = command && withoutMeter(command);
  if (words === undefined || words.length === 0) return { kind: "remote" };
  if (textAt(entry, "envFile") !== undefined) return { kind: "env_file" };
  const cwd = textAt(entry, "cwd") ?? values.project;
  const texts = [...words, ...(cwd === undefined ? [] : [cwd])];
  const variables = entryVariables(entry);
  const filled: string[] = [];
  for (const text of [...texts, ...variables.map(([, value]) => value)]) {
    const one = fillPlaceholders(text, rule.placeholders, values);
    if ("unfilled" in one) return { kind: "placeholder", placeholder: one.unfilled };
    filled.push(one.text);
  }
  const entryEnv = Object.fromEntries(
    variables.map(([name], at) => [name, filled[texts.length + at] ?? ""]),
  );
  return {
    command: filled.slice(0, words.length),
    entryEnv,
    env: { ...passedOn(values.env, rule, requestedNames(entry)), ...entryEnv },
    cwd: cwd === undefined ? undefined : filled[words.length],
  };
}

function withoutMeter(words: readonly string[]): readonly string[] | undefined {
  const word = meterWord(words);
  if (word === undefined) return words;
  const after = words.slice(words.indexOf(word) + 1);
  const cut = after.indexOf("--");
  if (cut >= 0) return withoutMeter(after.slice(cut + 1));
  // `mcp-meter mcp` is a server itself.
  return after[0] === "mcp" ? words : undefined;
}

/** `env`, in OpenCode and Kilo Code `environment`, in Goose `envs`, in older settings of Zed below the command. */
function entryVariables(entry: JsonObject): readonly (readonly [name: string, value: string])[] {
  const { env, environment, envs, command } = entry;
  const members = [env, environment, envs, memberAt(command, "env")].find(isObject) ?? {};
  return Object.entries(members).flatMap(([name, value]) => {
    const isValue = ["string", "number", "boolean"].includes(typeof value);
    // The system takes neither name nor value with a zero.
    const isUsable = isValue && /^[^=\0]+$/.test(name) && !String(value).includes("\0");
    return isUsable ? [[name, String(value)] as const] : [];
  });
}

function requestedNames(entry: JsonObject): ReadonlySet<unknown> {
  const { env_vars: names } = entry;
  return new Set(Array.isArray(names) ? names.map((one) => textAt(one, "name") ?? one) : []);
}

function passedOn(
  env: PlaceholderValues["env"],
  { passesOn }: LaunchRule,
  requested: ReadonlySet<unknown>,
): { readonly [name: string]: string } {
  const passed = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (passesOn(name) || requested.has(name)) ? [[name, value] as const] : [],
  );
  return Object.fromEntries(passed);
}
