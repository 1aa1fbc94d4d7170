import type { Importer } from "../imports/importer.ts";
import { claudeCode } from "./claude-code.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { geminiCli } from "./gemini-cli.ts";
import { amp } from "./amp.ts";
import { continueDev } from "./continue.ts";
import { copilotCli } from "./copilot-cli.ts";
import { crush } from "./crush.ts";
import { goose } from "./goose.ts";
import { kimiCode } from "./kimi-code.ts";
import { kiloCode, openCode } from "./opencode.ts";
import { qwenCode } from "./qwen-code.ts";
import { rooCode } from "./roo-code.ts";
import { vsCode } from "./vs-code.ts";
import type { ImporterId } from "./ids.ts";

export const importers: { readonly [id in ImporterId]: Importer } = {
  "claude-code": claudeCode,
  codex,
  "gemini-cli": geminiCli,
  opencode: openCode,
  "qwen-code": qwenCode,
  "copilot-cli": copilotCli,
  goose,
  amp,
  "vs-code": vsCode,
  "kilo-code": kiloCode,
  cline,
  "roo-code": rooCode,
  "kimi-code": kimiCode,
  crush,
  continue: continueDev,
};
