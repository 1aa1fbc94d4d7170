import type { Part } from "../part.ts";
import type { ClientProfile, Limited } from "./client-profile.ts";
import {
  joinedTexts,
  libraryError,
  mediaOnly,
  nothing,
  plainProfile,
  renamed,
  resourceText,
  serverName,
} from "./common.ts";
import { bytesIn, firstLines, frame, mediaOf, textOf } from "./text-pieces.ts";

const wholeBytes = 51_200;
const wholeLines = 2_000;

const note =
  "The tool call succeeded but the output was truncated. Full output saved to: /home/user/.local/share/opencode/tool-output/tool_c0863a18c001NT2RUE1NgMU4VD\nUse the Task tool to have explore agent process this file with Grep and Read (with offset/limit). Do NOT read the full file yourself - delegate to save context.";

/** OpenCode. */
export const opencode: ClientProfile = {
  ...plainProfile,
  names: ["opencode"],
  measured: { version: "1.18.33", on: "2026-11-21" },
  joint: "\n\n",
  blocks: {
    ...plainProfile.blocks,
    "unreadable-image": mediaOnly,
    audio: nothing,
    link: nothing,
    "resource-text": resourceText,
    "resource-image": mediaOnly,
    "resource-blob": ({ uri, mimeType }) => [`[Binary resource: ${uri} ${mimeType}]`],
    unknown: nothing,
  },
  toolError: (answer) => [joinedTexts(answer, "\n\n")],
  protocolError: (error) => [[libraryError(error)]],
  limit: limited,
  definitions: {
    ...plainProfile.definitions,
    form: (tool) => renamed(tool, (name) => `${serverName}_${name}`),
    instructions: (text) => `<mcp_instructions>\n${text}\n</mcp_instructions>`,
  },
};

/** The whole answer goes to a file; the first lines stay as far as they fit. */
function limited(parts: readonly Part[]): Limited | undefined {
  const value = bytesIn(parts);
  if (value <= wholeBytes) return undefined;
  const head = firstLines(textOf(parts), wholeBytes, wholeLines);
  const removed = value - Buffer.byteLength(head);
  const left = `${head}\n\n...${removed} bytes truncated...\n\n${note}`;
  const kept = [frame(left), ...mediaOf(parts)];
  return { parts: kept, alert: "would_spill", value, limit: wholeBytes, unit: "byte" };
}
