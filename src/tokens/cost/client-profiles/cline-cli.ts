import { type Part, blockKinds } from "./block.ts";
import type { ClientProfile, LimitedAnswer } from "./client-profile.ts";
import {
  plainProfile,
  renameTool,
  serverName,
  countCharacters,
  makeTextPart,
  joinText,
} from "./common.ts";

const characters = { answer: 8_000, eachEnd: 3_984 };

export const clineCli: ClientProfile = {
  ...plainProfile,
  recordedAs: "both",
  client: "cline-cli",
  names: ["@cline/core", "cline-cli", "cline cli"],
  measured: { version: "3.0.65", on: "2026-11-26", kinds: blockKinds },
  order: "both",
  showsMeta: true,
  renderWhole: ({ json }) => [[json()]],
  renderProtocolError: ({ code, message }) => [
    [JSON.stringify({ error: message === "" ? `MCP request failed with code ${code}` : message })],
  ],
  limitError: limitAnswer,
  limitAnswer,
  definitions: {
    ...plainProfile.definitions,
    formatTool: (tool) => renameTool(tool, (name) => `${serverName}__${name}`),
    formatInstructions: () => "",
  },
};

function limitAnswer(parts: readonly Part[]): LimitedAnswer | undefined {
  const value = countCharacters(parts);
  const { answer: limit, eachEnd } = characters;
  if (value <= limit) return undefined;
  const text = joinText(parts);
  const mark = `\n\n...[truncated ${value - 2 * eachEnd} chars]...\n\n`;
  const shortened = [makeTextPart(text.slice(0, eachEnd) + mark + text.slice(-eachEnd))];
  return { parts: shortened, alert: "would_truncate", value, limit, unit: "character" };
}
