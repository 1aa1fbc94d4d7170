import type { Part } from "../part.ts";
import type { ClientFacts, ClientProfile, Limited, AnswerFacts } from "./client-profile.ts";
import {
  joinedTexts,
  libraryError,
  mediaOnly,
  nameLine,
  nothing,
  plainProfile,
  renamed,
  resourceText,
  serverName,
  usualId,
} from "./common.ts";
import { charactersIn, frame, kilobytes, mediaOf, textOf } from "./text-pieces.ts";

const characters = { answer: 20_480, preview: 500 };

const file = `/tmp/1763769600000-copilot-tool-output-4173777-${usualId}.txt`;

/** Copilot CLI, which defers definitions for models of Claude. */
export function copilotCli({ model = "" }: ClientFacts): ClientProfile {
  const isClaude = /claude|opus|sonnet|haiku/i.test(model);
  return {
    ...plainProfile,
    id: "both",
    names: ["copilot-cli", "copilot cli"],
    measured: { version: "1.0.102", on: "2026-11-21" },
    order: "content-then-structured",
    joint: "",
    blocks: {
      ...plainProfile.blocks,
      "unreadable-image": mediaOnly,
      link: nothing,
      "resource-text": resourceText,
      "resource-image": mediaOnly,
      "resource-blob": nothing,
    },
    toolError: (answer) => [reported(answer)],
    protocolError: (error) => [[`MCP server '${serverName}': ${libraryError(error)}`]],
    limit: limited,
    definitions: {
      deferral: isClaude ? "always" : "never",
      form: (tool) => renamed(tool, qualified),
      listing: (tool) => nameLine(tool, qualified),
      instructions: (text) => (isClaude ? text : ""),
      loadedInstructions: () => "",
      repeatsInstructions: false,
    },
  };
}

function qualified(tool: string): string {
  return `${serverName}-${tool}`;
}

function reported(answer: AnswerFacts) {
  const { structured } = answer;
  const texts = joinedTexts(answer, "");
  return [`MCP server '${serverName}': `, ...texts, ...(structured ? [structured] : [])];
}

function limited(parts: readonly Part[]): Limited | undefined {
  const value = charactersIn(parts);
  if (value <= characters.answer) return undefined;
  const text = textOf(parts);
  const size = kilobytes(Buffer.byteLength(text)).replace("KB", " KB");
  const head = text.slice(0, characters.preview);
  const left = `Output too large to read at once (${size}). Saved to: ${file}\nConsider using tools like rg (for searching), head/tail (for viewing start/end), view with view_range (for specific sections), or jq (for JSON) to examine portions of the output.\n\nPreview (first 500 chars):\n${head}`;
  const kept = [frame(left), ...mediaOf(parts)];
  return { parts: kept, alert: "would_spill", value, limit: characters.answer, unit: "character" };
}
