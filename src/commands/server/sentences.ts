import { exampleCommand } from "../sentences.ts";

export const serverSentences = {
  urlRequired: (option: string) => `--${option} requires --url`,
  headerMalformed: (option: string, wanted: string) => `--${option} must be ${wanted}`,
  headerVariableMissing: (header: string, variable: string) =>
    `Cannot send the header "${header}": the variable ${variable} is not set or cannot be sent`,
  urlUnnamed: (command: string) =>
    `unexpected argument; name a URL with --url, as in "mcp-meter ${command} --url https://example.com/mcp"`,
  headerOfConnection: (option: string, header: string) =>
    `--${option} cannot send "${header}": each connection has its own`,
  serverOrUrlMissing: (command: string) =>
    `missing server; put its command after --, as in "mcp-meter ${command} -- ${exampleCommand}", or name its URL with --url`,
} as const;
