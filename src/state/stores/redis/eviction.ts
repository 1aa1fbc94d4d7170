import type { RedisConnection } from "./connection.ts";

/** A policy by which Redis may remove counters when its memory is full; undefined if none or unknown. */
export async function evictionFault(
  connection: Pick<RedisConnection, "send">,
): Promise<string | undefined> {
  try {
    const reply = await connection.send(["CONFIG", "GET", "maxmemory*"]);
    if (!Array.isArray(reply)) return undefined;
    const policy: unknown = reply[reply.indexOf("maxmemory-policy") + 1];
    const most: unknown = reply[reply.indexOf("maxmemory") + 1];
    // Without a limit nothing is ever removed.
    if (typeof policy !== "string" || most === "0") return undefined;
    return /^(?:allkeys|volatile)-[a-z]{1,10}$/.test(policy) ? policy : undefined;
  } catch {
    // Many managed ones do not allow the question.
    return undefined;
  }
}
