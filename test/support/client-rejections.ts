import { Client as NewerClient } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { isObject } from "#wire/json.ts";
import { answeringServer } from "./answering-server.ts";

const info = { name: "c", version: "1" };

type Verdicts = { readonly older: boolean; readonly newer: boolean; readonly modern: boolean };

/** Whether the clients of the TypeScript SDK reject a result: those of 1.x, and those of 2.x in either era. */
export async function clientRejections(
  result: unknown,
  definition: object = {},
): Promise<Verdicts> {
  const params = { name: "t", arguments: {} };
  const patience = { timeout: 10 };
  // A server of the era of 2026 says that its result is complete.
  const complete = isObject(result) ? { resultType: "complete", ...result } : result;
  const older = new OlderClient(info);
  const newer = new NewerClient(info, { versionNegotiation: { mode: "legacy" } });
  const modern = new NewerClient(info, { versionNegotiation: { mode: "auto" } });
  await older.connect(answeringServer(result, definition) as never);
  await newer.connect(answeringServer(result, definition) as never);
  await modern.connect(answeringServer(complete, definition) as never);
  const clients = [older, newer, modern];
  for (const client of clients) await client.listTools().catch(() => undefined);
  const verdicts = {
    older: await isRejected(older.callTool(params, undefined, patience)),
    newer: await isRejected(newer.callTool(params, patience)),
    modern: await isRejected(modern.callTool(params, patience)),
  };
  for (const client of clients) await client.close();
  return verdicts;
}

async function isRejected(call: Promise<unknown>): Promise<boolean> {
  return call.then(
    () => false,
    () => true,
  );
}
