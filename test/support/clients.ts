import type { ReachedServer } from "./servers.ts";
import { connectV1 } from "./client-v1.ts";
import { connectV2 } from "./client-v2.ts";

export type Outcome =
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "error"; readonly code: unknown; readonly message: string };

type Greeting = {
  readonly server: unknown;
  readonly capabilities: unknown;
  readonly instructions: string | undefined;
  readonly version: string | undefined;
};

export type Connection = {
  readonly greeting: Greeting;
  listTools(): Promise<readonly { readonly name: string }[]>;
  callTool(name: string, args: Record<string, unknown>, progress?: number[]): Promise<Outcome>;
  readResource(uri: string): Promise<Outcome>;
  getPrompt(name: string, args: Record<string, string>): Promise<Outcome>;
  close(): Promise<void>;
};

export type TestClient = {
  readonly name: string;
  readonly speaks: "legacy" | "modern" | "both";
  connect(server: ReachedServer): Promise<Connection>;
};

export const clients: readonly TestClient[] = [
  { name: "sdk-v1", speaks: "legacy", connect: connectV1 },
  { name: "sdk-v2-legacy", speaks: "legacy", connect: (to) => connectV2(to, "legacy") },
  { name: "sdk-v2-modern", speaks: "modern", connect: (to) => connectV2(to, "modern") },
  { name: "sdk-v2-auto", speaks: "both", connect: (to) => connectV2(to, "auto") },
];

/** One client of each era. `npm test` leaves the others to `bun run slow`. */
export const usualClients: ReadonlySet<string> = new Set(["sdk-v1", "sdk-v2-modern"]);

export function clientNamed(name: string): TestClient {
  const found = clients.find((client) => client.name === name);
  if (found === undefined) throw new Error(`no client is called ${name}`);
  return found;
}
