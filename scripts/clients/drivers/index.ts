import type { ClientDriver } from "../client.ts";
import { claudeCode } from "./claude-code.ts";
import { cline, continueCli, kilo, kimi, opencode, qwen } from "./chat-completions.ts";
import { codex, copilot } from "./responses.ts";
import { gemini } from "./gemini.ts";

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
