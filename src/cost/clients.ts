import { nameCharactersMax } from "#limits.ts";
import type { ClientProfile } from "./client-profile.ts";

const contentFirst: ClientProfile = {
  id: "content-first",
  besideStructured: "content-instead",
  resources: "saved",
  defersDefinitions: false,
  limits: {},
};

const structuredFirst: ClientProfile = {
  ...contentFirst,
  id: "structured-first",
  besideStructured: "images",
};

const claudeCode: ClientProfile = {
  ...structuredFirst,
  defersDefinitions: true,
  limits: {
    warnTokens: 10_000,
    cutTokens: 25_000,
    spill: { characters: 50_000, byToolMax: 500_000 },
  },
};

const codex: ClientProfile = {
  ...structuredFirst,
  besideStructured: "nothing",
  resources: "json",
};

/** Beginnings of client names in lower case; `*` stands for any text. The longest that matches is chosen. */
const profiles: readonly (readonly [pattern: string, profile: ClientProfile])[] = [
  ["claude-code", claudeCode],
  ["codex-mcp-client", codex],
  ["codex", codex],
  ["visual studio code", structuredFirst],
  ["visual-studio-code", structuredFirst],
  ["github-copilot-developer", structuredFirst],
  ["opencode", { ...structuredFirst, besideStructured: "nothing" }],
  [
    "gemini-cli-mcp-client",
    { ...contentFirst, resources: "media", limits: { cutCharacters: 40_000 } },
  ],
  ["cursor", { ...contentFirst, defersDefinitions: true }],
  ["jetbrains-*copilot-intellij", { ...contentFirst, id: "both", besideStructured: "everything" }],
];

/** Names of the clients that have a profile, as a user may write them. */
export const clientExamples: readonly string[] = profiles
  .map(([pattern]) => pattern)
  .filter((pattern) => !pattern.includes("*"));

/** The profile of a client by its `clientInfo.name`; content first for an unknown one. */
export function findProfile(rawName: string | undefined): ClientProfile {
  return findKnownProfile(rawName) ?? contentFirst;
}

/** The profile of a client that has one of its own. */
export function findKnownProfile(rawName: string | undefined): ClientProfile | undefined {
  const name = (rawName ?? "").slice(0, nameCharactersMax).toLowerCase();
  let found: ClientProfile | undefined;
  let length = 0;
  for (const [pattern, profile] of profiles) {
    if (pattern.length <= length || !matches(name, pattern)) continue;
    found = profile;
    length = pattern.length;
  }
  return found;
}

function matches(name: string, pattern: string): boolean {
  const [head = "", tail = ""] = pattern.split("*");
  return name.startsWith(head) && name.includes(tail, head.length);
}
