import { ownRequestsMax, runtimeExchangesMax, runtimeRequestsMax } from "#limits/http.ts";

/** The variable of the number of requests that the runtime makes at a time. */
const variable = "BUN_CONFIG_MAX_HTTP_REQUESTS";

/** How many exchanges may be open where each is a request of the runtime, which reads no other number than these. */
export function runtimeExchangesIn(env: Readonly<{ [name: string]: string | undefined }>): number {
  const raw = env[variable] ?? "";
  const requests = /^\+?\d+$/.test(raw) ? Number(raw) : 0;
  if (requests < 1 || requests > runtimeRequestsMax) return runtimeExchangesMax;
  return Math.max(1, requests - ownRequestsMax);
}
