import { openV1 } from "./client-v1.ts";
import { openV2 } from "./client-v2.ts";

export type Host = {
  readonly call: (tool: string, timeoutMs?: number, signal?: AbortSignal) => Promise<string>;
  readonly close: () => Promise<void>;
};

const callMaxMs = 50_000;

export const hosts: Readonly<Record<string, (url: URL) => Promise<Host>>> = {
  "sdk-v1": async (url) => {
    const client = await openV1(url);
    const call: Host["call"] = (name, timeout = callMaxMs, signal) =>
      textOf(
        client.callTool({ name, arguments: {} }, undefined, { timeout, ...signalOption(signal) }),
      );
    return { call, close: () => client.close() };
  },
  "sdk-v2-legacy": (url) => openV2Host(url, "legacy"),
  "sdk-v2-modern": (url) => openV2Host(url, "modern"),
};

async function openV2Host(url: URL, mode: "legacy" | "modern"): Promise<Host> {
  const client = await openV2(url, mode);
  const call: Host["call"] = (name, timeout = callMaxMs, signal) =>
    textOf(client.callTool({ name, arguments: {} }, { timeout, ...signalOption(signal) }));
  return { call, close: () => client.close() };
}

function signalOption(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal ? { signal } : {};
}

async function textOf(call: Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await call);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return `${error.name}: ${error.message} ${JSON.stringify(error)}`;
  }
}
