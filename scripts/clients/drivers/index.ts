import type { ClientDriver } from "../client.ts";
import { claudeCode } from "./claude-code.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { continueCli } from "./continue.ts";
import { copilot } from "./copilot.ts";
import { gemini } from "./gemini.ts";
import { kilo } from "./kilo.ts";
import { kimi } from "./kimi.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";

export const drivers: readonly ClientDriver[] = [
  claudeCode,
  codex,
  gemini,
  opencode,
  qwen,
  copilot,
  kilo,
  kimi,
  continueCli,
  cline,
];
