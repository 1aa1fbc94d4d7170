import { plural } from "#text/numbers.ts";
import { createDrift, type Drift } from "../drift.ts";
import { valueTexts } from "./values.ts";
import type { Lock } from "../lock.ts";

/** Every drift of a server's texts about itself, and of its version. */
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

/** The instructions themselves where the lock has them, else their size. */
function describeInstructions({ instructions: { sha256, tokens, text } }: Lock): string {
  if (sha256 === null) return "none";
  return text ?? plural(tokens, "token");
}

/** Clients show the title, and the name where there is none. A lock before 2.1 holds neither title nor description. */
function introductionDrifts(locked: Lock, now: Lock): Drift[] {
  const members =
    locked.lock_version === "2.1"
      ? (["name", "title", "description"] as const)
      : (["name"] as const);
  const texts = members.flatMap((member): Drift[] => {
    const before = locked.server[member] ?? undefined;
    const after = now.server[member] ?? undefined;
    if (before === after) return [];
    const what = `server ${member} changed`;
    return [createDrift("text_changed", null, { what, ...valueTexts({ before, after }) })];
  });
  if (locked.server.version === now.server.version) return texts;
  const [before, after] = [describeServer(locked), describeServer(now)];
  return [...texts, createDrift("server_changed", null, { what: "server changed", before, after })];
}

function describeServer({ server: { name, version } }: Lock): string {
  return `${name ?? "?"} ${version ?? "?"}`;
}
