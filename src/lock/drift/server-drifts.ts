import { plural } from "#text/numbers.ts";
import { isEqual } from "#wire/json-equal.ts";
import { createDrift, type Drift } from "../drift.ts";
import { valueTexts } from "./values.ts";
import { isSince, type Lock } from "../lock.ts";

export function serverDrifts(locked: Lock, now: Lock): Drift[] {
  return [...instructionsDrifts(locked, now), ...introductionDrifts(locked, now)];
}

function instructionsDrifts(locked: Lock, now: Lock): Drift[] {
  if (locked.instructions.sha256 === now.instructions.sha256) return [];
  const texts = valueTexts({
    before: describeInstructions(locked),
    after: describeInstructions(now),
  });
  return [createDrift("instructions_changed", null, { what: "instructions changed", ...texts })];
}

function describeInstructions({ instructions: { sha256, tokens, text } }: Lock): string {
  if (sha256 === null) return "none";
  return text ?? plural(tokens, "token");
}

/** With the version of the lock that introduced them. */
const texts = [
  { member: "name", since: "1.0", words: "name" },
  { member: "title", since: "2.1", words: "title" },
  { member: "description", since: "2.1", words: "description" },
  { member: "website_url", since: "2.2", words: "website" },
] as const;

// Clients show the title, else the name.
function introductionDrifts(locked: Lock, now: Lock): Drift[] {
  const drifts = texts.flatMap(({ member, since, words }): Drift[] => {
    const before = locked.server[member] ?? undefined;
    const after = now.server[member] ?? undefined;
    if (before === after || !isSince(locked, since)) return [];
    const what = `server ${words} changed`;
    return [createDrift("text_changed", null, { what, ...valueTexts({ before, after }) })];
  });
  return [...drifts, ...iconDrifts(locked, now), ...versionDrifts(locked, now)];
}

// Neither a model nor a caller reads icons.
function iconDrifts(locked: Lock, now: Lock): Drift[] {
  const [before, after] = [locked.server.icons ?? [], now.server.icons ?? []];
  if (!isSince(locked, "2.2") || isEqual(before, after)) return [];
  const what = "server icons changed";
  return [createDrift("metadata_changed", null, { what, ...valueTexts({ before, after }) })];
}

function versionDrifts(locked: Lock, now: Lock): Drift[] {
  if (locked.server.version === now.server.version) return [];
  const [before, after] = [describeServer(locked), describeServer(now)];
  const what = "server changed";
  return [createDrift("server_changed", null, { what, ...valueTexts({ before, after }) })];
}

function describeServer({ server: { name, version } }: Lock): string {
  return `${name ?? "?"} ${version ?? "?"}`;
}
