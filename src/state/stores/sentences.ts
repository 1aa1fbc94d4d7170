import type { CounterFailurePolicy } from "#meter/budgets/gate-options.ts";
import { describeReason } from "#kit/sentences.ts";

function describeConsequence(policy: CounterFailurePolicy): string {
  if (policy === "local") return "this session continues from the last known amounts";
  return `calls under these budgets ${policy === "open" ? "pass" : "are refused"} until the counters are reachable again`;
}

export const storeSentences = {
  counterStoreFailed: (reason: string, policy: CounterFailurePolicy) =>
    `Cannot use the shared budget counters (${describeReason(reason)}); ${describeConsequence(policy)}`,
  counterStoreBack: () =>
    `The shared budget counters are available again; they include the spending of this session`,
  redisUnsaved: (address: string) =>
    `Cannot write the last spending of this session to the Redis at ${address}; the counters there do not include this spending`,
} as const;

const redisCauses: { readonly [code: string]: string } = {
  ECONNREFUSED: "connection refused: is Redis running, and is the port right?",
  ECONNRESET: "it closed the connection",
  CLOSED_AT_START: "it closed the connection at once; a Redis with TLS requires rediss://",
  CLOSED_TLS:
    "it closed the connection at once; check that this Redis uses TLS and requires no client certificate",
  ETIMEDOUT: "it does not answer in time",
  TLS_TIMEOUT:
    "it does not answer the TLS handshake in time; a Redis without TLS requires redis://",
  WRONGPASS: "it rejects the user or the password",
  NOAUTH: "it requires a password",
  NO_PASSWORD: "it has no password; remove the part before the @ from the URL",
  NO_DATABASE: "it has no database with the number in the URL",
  NOPERM: "the Redis user is not allowed to run a command that the counters need",
  NOPERM_KEYS: "the Redis user is not allowed to use keys that begin with mcp-meter:",
  MOVED: "it is one node of a cluster; use an endpoint that hides the nodes",
  ASK: "it is one node of a cluster; use an endpoint that hides the nodes",
  CLUSTERDOWN: "its cluster is down",
  OOM: "its memory is full",
  READONLY: "it is a replica; use the primary",
  LOADING: "it is still loading its data",
  MISCONF: "it cannot save its data, and rejects writes",
  WRONGTYPE: "another program has written to the keys of mcp-meter",
  ERR: "it answers with an error; see its log",
  eviction: "it may remove counters when its memory is full",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not use TLS; write redis://",
  ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED:
    "it requires client certificates, which mcp-meter does not support",
};

export function describeRedisCause(reason: string): string {
  return Object.hasOwn(redisCauses, reason)
    ? (redisCauses[reason] ?? reason)
    : describeReason(reason);
}

// Not for the output of `doctor`, because the hint recommends `doctor`.
function describeCauseWithHint(reason: string): string {
  const hint = reason === "NOPERM" ? "; mcp-meter doctor names the command" : "";
  return `${describeRedisCause(reason)}${hint}`;
}

export const redisSentences = {
  redisUrlMalformed: (reason: string) =>
    `Cannot read the URL of --counters: ${reason}; write redis://USER:PASSWORD@HOST:PORT, or rediss:// for TLS`,
  redisFailed: (address: string, reason: string, policy: CounterFailurePolicy) =>
    `Cannot use the budget counters in the Redis at ${address} (${describeCauseWithHint(reason)}); ${describeConsequence(policy)}`,
  redisUnreadable: (address: string, reason: string) =>
    `Cannot read the budget counters in the Redis at ${address}: ${describeCauseWithHint(reason)}`,
  redisEvicts: (address: string, policy: string) =>
    `The Redis at ${address} may remove budget counters when its memory is full (maxmemory-policy ${policy}); set noeviction`,
  redisLost: (address: string) =>
    `The Redis at ${address} has lost budget counters; they continue from the amounts that this session last read`,
} as const;
