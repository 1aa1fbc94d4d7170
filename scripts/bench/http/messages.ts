/** What the fixture server behind a URL is asked for, and how it answers: the client and the server share it. */
import { callLine, initializeLine, linePrefix } from "../messages.ts";

/** How a call asks for a stream: so many events, one every so often, then the answer. */
export type EventsWanted = { readonly events: number; readonly everyMs: number };

/** How a call asks for an answer of so many bytes: with its length in the head, or in chunks of a megabyte. */
export type LongWanted = { readonly bytes: number; readonly hasLength: boolean };

/** The arguments by which a call asks for something else than a short answer. */
export type Wanted = LongWanted | EventsWanted;

/** The fixture server's path, which is the endpoint that mcp-meter meters. */
export const endpointPath = "/mcp";

export const initializeBody = initializeLine(0).trimEnd();
export const initializedBody = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

/** A call that is answered at once with `callAnswer`. */
export function callBody(id: number): string {
  return callLine(id).trimEnd();
}

/** A call with these arguments, by which the server knows what is wanted. */
export function wantingBody(id: number, wanted: Wanted): string {
  const params = { name: "look_up", arguments: wanted, _meta: { progressToken: id } };
  return `${linePrefix}${id},"method":"tools/call","params":${JSON.stringify(params)}}`;
}

/** One event: progress of call `id`, with the time of its sending. */
export function progressEvent(id: number, at: number, sentMs: number): string {
  const params = `{"progressToken":${id},"progress":${at},"message":"${sentMs}"}`;
  return `data: {"jsonrpc":"2.0","method":"notifications/progress","params":${params}}\n\n`;
}

/** The number and the time of such an event; undefined for another one. */
export function readProgress(event: string): { at: number; sentMs: number } | undefined {
  const [, at, sentMs] = /"progress":(\d+),"message":"([\d.]+)"/.exec(event) ?? [];
  return at === undefined ? undefined : { at: Number(at), sentMs: Number(sentMs) };
}

/** Milliseconds of a clock that all processes of the machine share, with fractions. */
export function sharedNowMs(): number {
  return performance.timeOrigin + performance.now();
}
