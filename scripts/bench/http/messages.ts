import { callLine, initializeLine, linePrefix } from "../messages.ts";

export type EventsWanted = { readonly events: number; readonly everyMs: number };

export type LongWanted = { readonly bytes: number };

export type FloodWanted = LongWanted & { readonly flood: number };

export type Wanted = LongWanted | FloodWanted | EventsWanted;

export const endpointPath = "/mcp";

export const initializeBody = initializeLine(0).trimEnd();
export const initializedBody = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

export function callBody(id: number): string {
  return callLine(id).trimEnd();
}

export function wantingBody(id: number, wanted: Wanted): string {
  const params = { name: "look_up", arguments: wanted, _meta: { progressToken: id } };
  return `${linePrefix}${id},"method":"tools/call","params":${JSON.stringify(params)}}`;
}

export function progressEvent(id: number, at: number, sentMs: number): string {
  const params = `{"progressToken":${id},"progress":${at},"message":"${sentMs}"}`;
  return `data: {"jsonrpc":"2.0","method":"notifications/progress","params":${params}}\n\n`;
}

export function readProgress(event: string): { at: number; sentMs: number } | undefined {
  const [, at, sentMs] = /"progress":(\d+),"message":"([\d.]+)"/.exec(event) ?? [];
  return at === undefined ? undefined : { at: Number(at), sentMs: Number(sentMs) };
}

export function sharedNowMs(): number {
  return performance.timeOrigin + performance.now();
}
