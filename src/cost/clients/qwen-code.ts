import { textAt } from "#wire/json.ts";
import type { Part } from "../part.ts";
import type { ClientProfile, Limited, AnswerFacts } from "./client-profile.ts";
import {
  asItCame,
  cut,
  libraryError,
  mediaOnly,
  plainProfile,
  renamed,
  resourceText,
  serverName,
  usualHash,
} from "./common.ts";
import { charactersIn, frame, kilobytes, mediaOf, textOf } from "./text-pieces.ts";

const characters = { answer: 28_000, preview: 2_000, listing: 120 };

const file = `/home/user/.qwen/tmp/${usualHash}/tool-results/mcp__server__tool_1763769600000.output`;

/** Qwen Code. */
export const qwenCode: ClientProfile = {
  ...plainProfile,
  id: "both",
  names: ["qwen-cli-mcp-client"],
  measured: { version: "0.24.4", on: "2026-11-21" },
  order: "structured-then-content",
  joint: "\n",
  empty: ({ tool }) => `Tool '${tool}' completed without any output.`,
  blocks: {
    ...plainProfile.blocks,
    image: asItCame,
    "unreadable-image": mediaOnly,
    link: ({ title, name, uri }) => [`Resource Link: ${title === "" ? name : title} at ${uri}`],
    "resource-text": resourceText,
    "resource-image": mediaOnly,
  },
  toolError,
  protocolError: (error) => [[libraryError(error)]],
  limit: limited,
  definitions: {
    deferral: "always",
    form: (tool) => renamed(tool, qualified),
    listing: (tool) => {
      const description = cut(textAt(tool, "description") ?? "", characters.listing);
      return `- ${qualified(textAt(tool, "name") ?? "")}: ${description}\n`;
    },
    instructions: (text) => `<system-reminder>\n${text}\n</system-reminder>`,
    loadedInstructions: () => "",
    repeatsInstructions: false,
  },
};

function qualified(tool: string): string {
  return `mcp__${serverName}__${tool}`;
}

/** The frame of Gemini CLI, in which the content stands twice. */
function toolError({ asked, json, blocks }: AnswerFacts) {
  const { tool, args } = asked;
  const name = JSON.stringify(tool);
  const content = `[${blocks.map((block) => block.json()).join(",")}]`;
  const response = `[{"functionResponse":{"name":${name},"response":{"error":${json()},"content":${content}}}}]`;
  const call = `{"name":${name},"args":${args === "" ? "{}" : args}}`;
  return [
    [
      `MCP tool '${tool}' reported tool error for function call: ${call} with response: ${response}`,
    ],
  ];
}

function limited(parts: readonly Part[]): Limited | undefined {
  const value = charactersIn(parts);
  if (value <= characters.answer) return undefined;
  const text = textOf(parts);
  const size = kilobytes(Buffer.byteLength(text));
  const head = text.slice(0, characters.preview);
  const left = `<persisted-output>\nOutput too large (${size}). The full output has been saved to: ${file}\nsha256: ${usualHash}${usualHash}\nTo read the complete output, use the read_file tool with the absolute file path above.\n\nPreview (up to 2000 chars):\n${head}\n...\n</persisted-output>`;
  const kept = [frame(left), ...mediaOf(parts)];
  return { parts: kept, alert: "would_spill", value, limit: characters.answer, unit: "character" };
}
