import { UserError } from "#kit/errors.ts";
import { estimateDefinitions } from "#tokens/cost/definitions.ts";
import { makeLock, type Lock } from "./lock.ts";
import { profileServer, type ProfileTerms, type ServerListing } from "./profile.ts";
import { lockSentences } from "./sentences.ts";

export function lockServer(listing: ServerListing, terms: ProfileTerms): Lock {
  const definitions = estimateDefinitions(listing, terms.reader, terms.hash);
  return makeLock(profileServer(listing, definitions, terms), listing);
}

/** Recounts all but answers. Throws UserError for a 1.0 lock that another estimator counted. */
export function deriveLock(lock: Lock, name: string, terms: ProfileTerms): Lock {
  if (lock.lock_version === "1.0") {
    const { id } = terms.reader.estimator;
    if (lock.estimator === id) return lock;
    throw new UserError(lockSentences.lockEstimator(name, lock.estimator, id));
  }
  const { lock_version: version, server, answers } = lock;
  const derived = lockServer(restoreListing(lock), { ...terms, thresholds: lock.risk_thresholds });
  return {
    ...dropNewerMembers(derived, version),
    lock_version: version,
    server,
    ...(answers ? { answers } : {}),
  };
}

function restoreListing({ server, instructions, tools, ...lists }: Lock): ServerListing {
  const { name, version } = server;
  return {
    server: { name, version, protocol_version: null, era: null },
    instructions: instructions.text,
    tools: tools.map(({ definition = {} }) => definition),
    prompts: lists.prompts ?? [],
    resources: [],
    resourceTemplates: lists.resource_templates ?? [],
    skills: lists.skills ?? [],
  };
}

function dropNewerMembers(lock: Lock, version: Lock["lock_version"]): Lock {
  if (version !== "2.0") return lock;
  const { prompts: _prompts, resource_templates: _templates, ...older } = lock;
  return older;
}
