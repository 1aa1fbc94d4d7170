import { existsSync } from "node:fs";
import { join } from "node:path";
import { configFolder } from "./folders.ts";

/**
 * Path of the config file: the one that was named, else the user's own if it exists. Never a file of the
 * working directory: a hostile repository must not configure the meter.
 */
export function findConfigFile(
  named: unknown,
  env: Readonly<{ [name: string]: string | undefined }>,
): string | undefined {
  if (typeof named === "string" && named !== "") return named;
  const folder = configFolder(env);
  const file = folder === undefined ? undefined : join(folder, "config.json");
  return file !== undefined && existsSync(file) ? file : undefined;
}
