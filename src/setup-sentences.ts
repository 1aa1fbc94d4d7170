import { counted } from "./error-words.ts";

/** The sentences of `profile --configured`, as `sentences` has them. */
export const setupSentences = {
  settingsHomeMissing: () => `Cannot find the settings of MCP clients: set HOME`,
  settingsClientUnknown: (name: string, nearest: string | undefined, known: readonly string[]) =>
    `--client must be one of ${known.join(", ")} with --configured, not "${name}"` +
    (nearest === undefined ? "" : `; did you mean ${nearest}?`),
  configuredOnly: (option: string) => `--${option} requires --configured`,
  projectMissing: (folder: string) =>
    `Cannot read the settings of the project "${folder}": no such folder`,
  projectIgnored: (folder: string) =>
    `Leaving out the settings of the project in ${folder}; to start its servers too, pass --project ${folder}`,
  serversToStart: (client: string, names: readonly string[]) => `${client}: ${names.join(", ")}`,
  startQuestion: (servers: number) =>
    `Start ${servers === 1 ? "this server" : `these ${counted(servers, "server")}`}, each as its client does? [y/N] `,
  nothingStarted: () => `Nothing was started`,
} as const;
