import { nameCharactersMax } from "#kit/limits.ts";
import { claudeCode } from "./claude-code.ts";
import { clineCli } from "./cline-cli.ts";
import type { ClientFacts, ClientProfile } from "./client-profile.ts";
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

// Kilo's VS Code extension was not measured, but its name starts like that of Kilo's measured CLI.
const kiloExtension: ClientProfile = { ...unknownProfile, names: ["kilo code"] };

function makeProfiles(facts: ClientFacts): readonly ClientProfile[] {
  return [
    claudeCode(facts),
    codex(facts),
    vsCode,
    opencode,
    geminiCli(facts),
    qwenCode,
    copilotCli(facts),
    kimiCode,
    continueCli,
    clineCli,
    cursor,
    jetbrains,
    kiloExtension,
  ];
}

const noFacts: ClientFacts = {};

const plainProfiles = makeProfiles(noFacts);

export const clientExamples: readonly string[] = plainProfiles
  .flatMap(({ names, isUnknown }) => (isUnknown ? [] : names))
  .filter((name) => !name.includes("*"));

export function findProfile(rawName: string | undefined, facts = noFacts): ClientProfile {
  return findKnownProfile(rawName, facts) ?? unknownProfile;
}

// The longest matching name wins.
export function findKnownProfile(
  rawName: string | undefined,
  facts = noFacts,
): ClientProfile | undefined {
  const name = (rawName ?? "").slice(0, nameCharactersMax).toLowerCase();
  let found: ClientProfile | undefined;
  let length = 0;
  for (const profile of facts === noFacts ? plainProfiles : makeProfiles(facts)) {
    for (const pattern of profile.names) {
      if (pattern.length <= length || !matches(name, pattern)) continue;
      found = profile;
      length = pattern.length;
    }
  }
  return found?.isUnknown ? undefined : found;
}

/** One name for a client that has several: Codex is `codex-mcp-client` to servers, `codex` in its logs. */
export function nameClient<Name extends string | null>(rawName: Name): string | Name {
  return rawName === null ? rawName : (findKnownProfile(rawName)?.client ?? rawName);
}

function matches(name: string, pattern: string): boolean {
  const [head = "", tail = ""] = pattern.split("*");
  return name.startsWith(head) && name.includes(tail, head.length);
}

export function isTrialName(rawName: string | undefined): boolean {
  const names = plainProfiles.flatMap(({ trialNames }) => trialNames);
  return rawName !== undefined && names.includes(rawName);
}
