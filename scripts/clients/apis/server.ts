import type { ModelApi, Turn } from "./api.ts";

export type RecordedRequest = {
  readonly path: string;
  readonly body: unknown;
  readonly step: number | undefined;
};

export class ApiServer {
  readonly requests: RecordedRequest[] = [];
  readonly #api: ModelApi;
  readonly #plan: readonly Turn[];
  readonly #server: Bun.Server<undefined>;
  #next = 0;

  constructor(api: ModelApi, plan: readonly Turn[]) {
    this.#api = api;
    this.#plan = plan;
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      idleTimeout: 0,
      maxRequestBodySize: 1024 ** 3,
      fetch: (request) => this.#answer(request),
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }

  async #answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    const body = parsed(await request.text());
    const isTurn = request.method === "POST" && this.#api.isTurn(path, body);
    const step = isTurn ? this.#next : undefined;
    this.requests.push({ path, body, step });
    if (step === undefined) {
      return this.#api.answerOther(path, body) ?? Response.json({ error: {} }, { status: 404 });
    }
    this.#next += 1;
    const turn = this.#plan[step] ?? { kind: "text", text: "Done" };
    return this.#api.reply(turn, String(step).padStart(4, "0"), body);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
