import { join } from "node:path";
import { isObject, memberAt } from "#wire/json.ts";
import { type FolderEnv, homeFolder } from "../folders.ts";
import { readClientFile } from "./client-file.ts";

/** As Claude Code hands it to servers: `env` of its settings replaces its own variables, that of a project those of the user. A profile is made without it. */
export function claudeEnvironment(env: FolderEnv, project?: string): FolderEnv {
  const home = homeFolder(env);
  const own = env["CLAUDE_CONFIG_DIR"] ?? (home === undefined ? undefined : join(home, ".claude"));
  const shared = project === undefined ? undefined : join(project, ".claude");
  const names = ["settings.json", "settings.local.json"];
  const files = [
    ...(own === undefined ? [] : [join(own, "settings.json")]),
    ...(shared === undefined ? [] : names.map((name) => join(shared, name))),
  ];
  return { ...env, ...Object.fromEntries(files.flatMap(variablesIn)) };
}

/** None of a file that is not there, or that cannot be read: Claude Code says so itself. */
function variablesIn(file: string): readonly (readonly [string, string])[] {
  const read = readClientFile(file, "json");
  const variables = read && "value" in read ? memberAt(read.value, "env") : undefined;
  return Object.entries(isObject(variables) ? variables : {}).flatMap(([name, value]) =>
    isPlain(value) ? [[name, String(value)] as const] : [],
  );
}

function isPlain(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
