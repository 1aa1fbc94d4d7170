import { nameCharactersMax } from "#kit/limits.ts";
import type { ClientProfile } from "./client-profile.ts";
import { unknownProfile } from "./common.ts";
import { makeProfiles, noDetails, defaultProfiles } from "./index.ts";

export const clientExamples: readonly string[] = defaultProfiles
  .flatMap(({ names, isUnknown }) => (isUnknown ? [] : names))
  .filter((name) => !name.includes("*"));

export function findProfile(rawName: string | undefined, details = noDetails): ClientProfile {
  return findKnownProfile(rawName, details) ?? unknownProfile;
}

export function findKnownProfile(
  rawName: string | undefined,
  details = noDetails,
): ClientProfile | undefined {
  const name = (rawName ?? "").slice(0, nameCharactersMax).toLowerCase();
  let found: ClientProfile | undefined;
  let longest = "";
  for (const profile of details === noDetails ? defaultProfiles : makeProfiles(details)) {
    for (const pattern of profile.names) {
      if (pattern.length <= longest.length || !matches(name, pattern)) continue;
      [found, longest] = [profile, pattern];
    }
  }
  return found?.isUnknown ? undefined : found;
}

/** Returns the name of a client in reports. For example, both `codex-mcp-client` and `codex` become `codex`. */
export function nameClient<Name extends string | null>(rawName: Name): string | Name {
  return rawName === null ? rawName : (findKnownProfile(rawName)?.client ?? rawName);
}

function matches(name: string, pattern: string): boolean {
  const [head = "", tail = ""] = pattern.split("*");
  return name.startsWith(head) && name.includes(tail, head.length);
}

export function isTrialName(rawName: string | undefined): boolean {
  const names = defaultProfiles.flatMap(({ trialNames }) => trialNames);
  return rawName !== undefined && names.includes(rawName);
}
