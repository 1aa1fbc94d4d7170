import { counted } from "../error-words.ts";

export const setupSentences = {
  settingsHomeMissing: () => `Cannot find the settings of MCP clients: set HOME`,
  settingsClientUnknown: (name: string, nearest: string | undefined, known: string) =>
    `--client must be one of ${known} with --configured, not "${name}"` +
    (nearest === undefined ? "" : `; did you mean ${nearest}?`),
  configuredOnly: (option: string) => `--${option} requires --configured`,
  projectMissing: (folder: string) =>
    `Cannot read the settings of the project "${folder}": no such folder`,
  projectIgnored: () =>
    `Leaving out the settings of the project in this folder; pass --project . to start its servers too`,
  serversToStart: (client: string, names: string) => `Of ${client}: ${names}`,
  startQuestion: (servers: number) =>
    servers === 1
      ? "Start this server as its client does? [y/N]"
      : `Start these ${counted(servers, "server")} as their clients do? [y/N]`,
  nothingStarted: () => `Nothing was started`,
} as const;
