import { sentences, UserError } from "#errors.ts";
import { expandHome } from "#storage/home-path.ts";
import type { OptionSpecs, RawOptions } from "./command.ts";

type Environment = Readonly<{ [name: string]: string | undefined }>;

/** Throws UserError for `~` when the environment names no home. */
export function expandPaths(specs: OptionSpecs, options: RawOptions, env: Environment): RawOptions {
  const paths = Object.entries(options).flatMap(([name, value]) => {
    if (specs[name]?.isPath !== true || typeof value !== "string") return [];
    const path = expandHome(value, env);
    if (path === undefined) throw new UserError(sentences.optionHomeMissing(name, value));
    return [[name, path] as const];
  });
  return { ...options, ...Object.fromEntries(paths) };
}
