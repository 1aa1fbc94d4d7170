import { existsSync } from "node:fs";
import { join } from "node:path";
import { configFolder } from "./state.ts";

/**
 * The config file to read: the named one, else the user's own when there is one. Never one of the working
 * directory: a hostile repository must not steer the meter.
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
