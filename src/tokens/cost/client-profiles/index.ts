import { claudeCode } from "./claude-code.ts";
import { clineCli } from "./cline-cli.ts";
import type { ClientDetails, ClientProfile } from "./client-profile.ts";
import { codex } from "./codex.ts";
import { unknownProfile } from "./common.ts";
import { continueCli } from "./continue-cli.ts";
import { copilotCli } from "./copilot-cli.ts";
import { cursor } from "./cursor.ts";
import { geminiCli } from "./gemini-cli.ts";
import { jetbrains } from "./jetbrains.ts";
import { kimiCode } from "./kimi-code.ts";
import { opencode } from "./opencode.ts";
import { qwenCode } from "./qwen-code.ts";
import { vsCode } from "./vs-code.ts";

// Kilo's extension was not measured. Without this entry, the extension would get OpenCode's profile.
const kiloExtension: ClientProfile = { ...unknownProfile, names: ["kilo code"] };

export function makeProfiles(details: ClientDetails): readonly ClientProfile[] {
  return [
    claudeCode(details),
    codex(details),
    vsCode,
    opencode,
    geminiCli(details),
    qwenCode,
    copilotCli(details),
    kimiCode,
    continueCli,
    clineCli,
    cursor,
    jetbrains,
    kiloExtension,
  ];
}

export const noDetails: ClientDetails = {};

export const defaultProfiles = makeProfiles(noDetails);
