import { certificateWords, inWords } from "./error-words.ts";

/** Reasons for which a Redis cannot be used: codes of the system, of OpenSSL and of Redis itself. */
const causes: { readonly [code: string]: string } = {
  ECONNREFUSED: "connection refused; is it running, and is the port right?",
  ECONNRESET: "it closed the connection; a server with TLS requires rediss://",
  ENOTFOUND: "no host of that name",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the host",
  ETIMEDOUT: "it does not answer in time",
  WRONGPASS: "it rejects the user or the password",
  NOAUTH: "it requires a password",
  NOPERM: "its user may not run scripts or use these keys",
  MOVED: "it is one node of a cluster; use an endpoint that hides the nodes",
  ASK: "it is one node of a cluster; use an endpoint that hides the nodes",
  CLUSTERDOWN: "its cluster is down",
  OOM: "its memory is full",
  READONLY: "it is a replica; use the primary",
  LOADING: "it is still loading its data",
  MISCONF: "it cannot save its data, and rejects writes",
  WRONGTYPE: "another program uses its keys",
  ERR: "it rejects the command",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not use TLS; use redis://",
  ...certificateWords,
};

/** The sentences of `errors.ts` about shared counters and Redis, as `sentences` has them. */
export const redisSentences = {
  counterStoreFailed: (reason: string, policy: "local" | "closed" | "open") =>
    `Cannot use the shared budget counters (${inWords(reason)}); ${consequenceOf(policy)}`,
  counterStoreBack: () =>
    `The shared budget counters can be used again; they include the spending of this session`,
  redisUrlMalformed: (reason: string) =>
    `Cannot read the URL of --counters: ${reason}; write redis://USER:PASSWORD@HOST:PORT, or rediss:// for TLS`,
  fleetMalformed: () =>
    `Cannot use the value of --fleet: it must have 1 to 64 letters, digits, dots, dashes or underscores`,
  redisFailed: (address: string, reason: string, policy: "local" | "closed" | "open") =>
    `Cannot use the budget counters in the Redis at ${address} (${causeOf(reason)}); ${consequenceOf(policy)}`,
  redisUnreadable: (address: string, reason: string) =>
    `Cannot read the budget counters in the Redis at ${address}: ${causeOf(reason)}`,
  redisEvicts: (address: string, policy: string) =>
    `The Redis at ${address} may remove budget counters when its memory is full (maxmemory-policy ${policy}); set noeviction`,
  redisUnsaved: (address: string) =>
    `Cannot write the last spending of this session to the Redis at ${address}: its counters are too low by it`,
};

/** The cause in words. */
function causeOf(reason: string): string {
  return Object.hasOwn(causes, reason) ? (causes[reason] ?? reason) : inWords(reason);
}

/** The consequence of a policy, until the counters can be used again. */
function consequenceOf(policy: "local" | "closed" | "open"): string {
  if (policy === "local") return "this session continues from the amounts that were last known";
  return `calls under these budgets ${policy === "open" ? "pass" : "are refused"} until they can be reached`;
}
