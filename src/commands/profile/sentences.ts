import { pluralize } from "#kit/text/numbers.ts";

export const profileSentences = {
  countSourceDiffers: (file: string, earlier: string, current: string) =>
    `Cannot compare with the profile "${file}": its definitions were counted by ${earlier}, but now by ${current}`,
  budgetPeriod: (spec: string, per: string) =>
    `Cannot profile with the budget "${spec}": it must limit each call, not a ${per}`,
  projectIgnored: () =>
    `Leaving out the settings of the project in this folder; pass --project . to start its servers too`,
  projectServersIgnored: (servers: number) =>
    `Leaving out ${pluralize(servers, "server")} of projects (see wrap --list); add --project DIR to include a project's servers`,
  serversMissing: (home: string) =>
    `Found no server in the settings of MCP clients in "${home}"; add one to a client, or name a project with --project DIR`,
  serversToStart: (client: string, names: string) => `Servers of ${client}: ${names}`,
  startQuestion: (servers: number) =>
    servers === 1
      ? "Start this server as its client does? [y/N]"
      : `Start these ${pluralize(servers, "server")} as their clients do? [y/N]`,
  nothingStarted: () => `Nothing was started`,
  estimatorDiffers: (file: string, earlier: string, current: string) =>
    `Cannot compare with the profile "${file}": it was counted with ${earlier}, but this run uses ${current}; pass --tokenizer ${earlier}`,
} as const;
