import { estimateDefinitions } from "#tokens/cost/definitions.ts";
import { makeLock, type Lock } from "./lock.ts";
import { profileServer, type ProfileTerms, type ServerListing } from "./profile.ts";

export function lockServer(listing: ServerListing, terms: ProfileTerms): Lock {
  const definitions = estimateDefinitions(listing, terms.reader, terms.hash);
  return makeLock(profileServer(listing, definitions, terms), listing);
}

/** Recounts all but answers. */
export function deriveLock(lock: Lock, terms: ProfileTerms): Lock {
  const { server, answers } = lock;
  const derived = lockServer(restoreListing(lock), { ...terms, thresholds: lock.risk_thresholds });
  return { ...derived, server, ...(answers ? { answers } : {}) };
}

function restoreListing({ server, instructions, tools, ...lists }: Lock): ServerListing {
  const { name, version } = server;
  return {
    server: { name, version, protocol_version: null, era: null },
    instructions: instructions.text,
    tools: tools.map(({ definition }) => definition),
    prompts: lists.prompts,
    resources: [],
    resourceTemplates: lists.resource_templates,
    skills: lists.skills ?? [],
  };
}
