import { UserError } from "#kit/errors.ts";
import type { OptionSpecs, RawOptions } from "./command.ts";
import { type FolderEnv, homeFolder } from "#state/storage/folders.ts";
import { commandSentences } from "./sentences.ts";

type Environment = Readonly<{ [name: string]: string | undefined }>;

export function expandPaths(specs: OptionSpecs, options: RawOptions, env: Environment): RawOptions {
  const paths = Object.entries(options).flatMap(([name, value]) => {
    if (specs[name]?.isPath !== true || typeof value !== "string") return [];
    const path = expandHome(value, env);
    if (path === undefined) throw new UserError(commandSentences.optionHomeMissing(name, value));
    return [[name, path] as const];
  });
  return { ...options, ...Object.fromEntries(paths) };
}

/** Clients start servers without a shell, which would expand `~`. Undefined when the environment names no home. `~name` stays. */
function expandHome(path: string, env: FolderEnv): string | undefined {
  if (path !== "~" && !path.startsWith("~/")) return path;
  const home = homeFolder(env);
  return home === undefined ? undefined : `${home}${path.slice(1)}`;
}
