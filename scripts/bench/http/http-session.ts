import { callAnswerLine, callLine, initializeLine, linePrefix } from "../messages.ts";

export type Lags = readonly number[];

export class HttpSession {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  #id = 0;

  private constructor(url: string, session: string) {
    this.#url = url;
    this.#headers = { ...accepting, "mcp-session-id": session };
  }

  static async begin(url: string): Promise<HttpSession> {
    const answer = await fetch(url, { method: "POST", headers: accepting, body: initializeBody });
    await answer.text();
    const session = new HttpSession(url, answer.headers.get("mcp-session-id") ?? "");
    await (await session.#post(initializedBody)).text();
    return session;
  }

  get calls(): number {
    return this.#id;
  }

  async call(): Promise<number> {
    this.#id += 1;
    const [body, expected] = [makeCallBody(this.#id), callAnswerLine(this.#id)];
    const sentMs = performance.now();
    const answer = await (await this.#post(body)).text();
    const micros = (performance.now() - sentMs) * 1000;
    if (answer !== expected)
      throw new Error(`Call ${this.#id} has an unexpected answer: ${answer}`);
    return micros;
  }

  async longCall(expected: Buffer): Promise<number> {
    this.#id += 1;
    const body = makeRequestBody(this.#id, { bytes: expected.length });
    const sentMs = performance.now();
    const answer = await (await this.#post(body)).bytes();
    const seconds = (performance.now() - sentMs) / 1000;
    if (!expected.equals(answer)) throw new Error(`Call ${this.#id} has an unexpected long answer`);
    return seconds;
  }

  async floodCall(wanted: FloodWanted): Promise<void> {
    this.#id += 1;
    await (await this.#post(makeRequestBody(this.#id, wanted))).bytes();
  }

  async streamCall(wanted: EventsWanted): Promise<Lags> {
    this.#id += 1;
    const expectedEnd = `data: ${callAnswerLine(this.#id)}`.trimEnd();
    const answer = await this.#post(makeRequestBody(this.#id, wanted));
    if (!answer.body) throw new Error("A stream of events has no body");
    const lags: number[] = [];
    let end: string | undefined;
    for await (const [event, nowMs] of readEvents(answer.body)) {
      const progress = readProgress(event);
      if (progress === undefined) end = event;
      else if (progress.at === lags.length + 1) lags.push(nowMs - progress.sentMs);
      else throw new Error(`Event ${progress.at} came after ${lags.length} events`);
    }
    if (lags.length !== wanted.events || end !== expectedEnd) {
      throw new Error(`A stream of ${wanted.events} events ended after ${lags.length}: ${end}`);
    }
    return lags;
  }

  async end(): Promise<void> {
    await (await fetch(this.#url, { method: "DELETE", headers: this.#headers })).text();
  }

  #post(body: string): Promise<Response> {
    return fetch(this.#url, { method: "POST", headers: this.#headers, body });
  }
}

const accepting = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<readonly [event: string, nowMs: number]> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const nowMs = sharedNowMs();
    const events = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) yield [event, nowMs];
  }
}

export type EventsWanted = { readonly events: number; readonly everyMs: number };

export type LongWanted = { readonly bytes: number };

export type FloodWanted = LongWanted & { readonly flood: number };

type Wanted = LongWanted | FloodWanted | EventsWanted;

export const endpointPath = "/mcp";

const initializeBody = initializeLine(0).trimEnd();
const initializedBody = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

function makeCallBody(id: number): string {
  return callLine(id).trimEnd();
}

export function makeRequestBody(id: number, wanted: Wanted): string {
  const params = { name: "look_up", arguments: wanted, _meta: { progressToken: id } };
  return `${linePrefix}${id},"method":"tools/call","params":${JSON.stringify(params)}}`;
}

export function progressEvent(id: number, at: number, sentMs: number): string {
  const params = `{"progressToken":${id},"progress":${at},"message":"${sentMs}"}`;
  return `data: {"jsonrpc":"2.0","method":"notifications/progress","params":${params}}\n\n`;
}

function readProgress(event: string): { at: number; sentMs: number } | undefined {
  const [, at, sentMs] = /"progress":(\d+),"message":"([\d.]+)"/.exec(event) ?? [];
  return at === undefined ? undefined : { at: Number(at), sentMs: Number(sentMs) };
}

export function sharedNowMs(): number {
  return performance.timeOrigin + performance.now();
}
