import { mask } from "#kit/text/mask-secrets.ts";
import { exitCodes, UserError, tryParseJson } from "#kit/errors.ts";
import { type CountKeys, makeCountKeys, type KnownCounts } from "#tokens/cost/maker-counts.ts";
import { canonicalizeJson, isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import { type CountQuestion, type Maker, type MakerAccount, makerSentences } from "./maker.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { clip, problemColumnsMax } from "#kit/text/columns.ts";

const exactParallelMax = 4;

type CountStore = KnownCounts & { set(key: string, tokens: number): void };

// One token in every vocabulary.
const letter = "a";

// The counts of these tools, alone and together, show how much a list costs in addition to its tools.
const probes: readonly JsonObject[] = ["a", "b"].map((name) => ({
  name,
  description: name,
  inputSchema: { type: "object" },
}));

// Sends definitions in canonical form and order, so that a list always costs the same.
export class ExactCounts {
  readonly #makerModel: MakerModel;
  readonly #store: CountStore;
  readonly #deps: AskDeps;
  readonly #hash: (text: string) => string;
  readonly #keys: CountKeys;

  constructor(
    makerModel: MakerModel,
    store: CountStore,
    deps: AskDeps & { readonly hash: (text: string) => string },
  ) {
    this.#makerModel = makerModel;
    this.#store = store;
    this.#deps = deps;
    this.#hash = deps.hash;
    this.#keys = makeCountKeys({ maker: makerModel.maker.id, model: makerModel.model }, deps.hash);
  }

  async countText(text: string): Promise<number> {
    if (text === "") return 0;
    const base = await this.#countBase();
    const key = this.#keys.text(this.#hash(text));
    // The base has one token for `letter`, which this text replaces.
    return this.#getOrCount(key, async () => Math.max(1, (await this.#ask({ text })) - base + 1));
  }

  async countList(tools: readonly JsonObject[]): Promise<number> {
    if (tools.length === 0) return 0;
    const hashes = tools.map((tool) => this.#hash(canonicalizeJson(tool)));
    return this.#getOrCount(this.#keys.list(hashes), () => this.#countTools(tools));
  }

  async storeDefinitionCounts(tools: readonly JsonObject[]): Promise<void> {
    await this.countList(tools);
    await this.#getOrCount(this.#keys.perList, async () => {
      const separate = await Promise.all(probes.map((probe) => this.#countTools([probe])));
      const combined = await this.#countTools(probes);
      return Math.max(0, separate.reduce((sum, tokens) => sum + tokens, 0) - combined);
    });
    const remaining = [...tools];
    const work = async (): Promise<void> => {
      for (let tool = remaining.shift(); tool; tool = remaining.shift())
        await this.#storeToolCount(tool);
    };
    await Promise.all(Array.from({ length: exactParallelMax }, work));
  }

  async #storeToolCount(tool: JsonObject): Promise<void> {
    const key = this.#keys.tool(this.#hash(canonicalizeJson(tool)));
    await this.#getOrCount(key, () => this.#countTools([tool]));
  }

  async #countTools(tools: readonly JsonObject[]): Promise<number> {
    const base = await this.#countBase();
    const canonical = tools.map(canonicalizeJson).toSorted();
    const sent = canonical.map((json): unknown => JSON.parse(json)).filter(isObject);
    const tokens = (await this.#ask({ text: letter, tools: sent })) - base;
    if (tokens > 0) return tokens;
    // A gateway may drop the tools: its count must not be stored as the cost of definitions.
    const reason = "its count for a request is no larger with tools than without";
    throw makeFailure(this.#makerModel.maker.name, reason);
  }

  #countBase(): Promise<number> {
    return this.#getOrCount(this.#keys.base, () => this.#ask({ text: letter }));
  }

  #ask(question: CountQuestion): Promise<number> {
    return ask(this.#makerModel, question, this.#deps);
  }

  async #getOrCount(key: string, count: () => Promise<number>): Promise<number> {
    const known = this.#store.get(key);
    if (known !== undefined) return known;
    const tokens = await count();
    this.#store.set(key, tokens);
    return tokens;
  }
}

export const exactAttemptsMax = 6;

const exactAnswerMaxMs = 30_000;

type MakerModel = {
  readonly maker: Maker;
  readonly model: string;
  readonly account: MakerAccount;
};

type AskDeps = {
  readonly reportWait: (maker: string, ms: number) => void;
  readonly wait: (ms: number) => Promise<void>;
  readonly answerMaxMs?: number;
};

// No UserError may contain the API key.
export async function ask(
  makerModel: MakerModel,
  question: CountQuestion,
  deps: AskDeps,
): Promise<number> {
  const { name } = makerModel.maker;
  for (let attempt = 0; attempt < exactAttemptsMax; attempt += 1) {
    const { status, answer, retryAfter } = await send(makerModel, question, deps);
    if (!isTemporaryFailure(status)) return readTokens(makerModel, status, answer);
    const delay = computeRetryDelay(retryAfter, attempt, Date.now());
    if (delay === undefined) {
      throw makeFailure(name, `it asks for a longer wait than mcp-meter allows (status ${status})`);
    }
    if (attempt + 1 === exactAttemptsMax) break;
    deps.reportWait(name, delay);
    await deps.wait(delay);
  }
  throw makeFailure(name, `${exactAttemptsMax} attempts hit a rate limit or a server error`);
}

type MakerAnswer = {
  readonly status: number;
  readonly answer: unknown;
  readonly retryAfter: string | null;
};

async function send(
  { maker, model, account: { url, key } }: MakerModel,
  question: CountQuestion,
  { answerMaxMs = exactAnswerMaxMs }: AskDeps,
): Promise<MakerAnswer> {
  const { path, headers, body } = maker.request(model, question, key);
  const target = `${url.href.replace(/\/+$/, "")}${path}`;
  try {
    const response = await fetch(target, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
      // The API key must not be sent to the target of a redirect.
      redirect: "manual",
      signal: AbortSignal.timeout(answerMaxMs),
    });
    const answer = await readAnswer(response);
    return { status: response.status, answer, retryAfter: response.headers.get("retry-after") };
  } catch (error) {
    throw makeFailure(maker.name, describeFailure(error, answerMaxMs));
  }
}

function readTokens(
  { maker, model, account }: MakerModel,
  status: number,
  answer: unknown,
): number {
  const { name } = maker;
  if (status >= 300 && status < 400) throw makeFailure(name, "it redirects to another address");
  if (status === 401 || status === 403) {
    throw new UserError(makerSentences.exactKeyRejected(name, account.keyVariable, status));
  }
  if (status === 404) throw new UserError(makerSentences.exactModelUnknown(name, model));
  if (answer === tooLong) throw makeFailure(name, "its answer is too long");
  if (status !== 200) {
    const message = readErrorMessage(answer, account.key);
    throw new UserError(makerSentences.exactRefused(name, status, message));
  }
  const tokens = maker.parseTokens(answer);
  if (tokens === undefined) throw makeFailure(name, "its answer has no token count");
  return tokens;
}

function describeFailure(error: unknown, answerMaxMs: number): string {
  if (error instanceof Error && error.name === "TimeoutError") {
    return `no answer within ${Math.ceil(answerMaxMs / 1000)} s`;
  }
  const code = readErrorCode(error);
  return networkFaults.get(code) ?? "the connection failed";
}

// By error code. The error's message is not shown, because it may quote the request.
const networkFaults: ReadonlyMap<string, string> = new Map([
  ["ConnectionRefused", "the connection was refused"],
  ["ECONNREFUSED", "the connection was refused"],
  ["ECONNRESET", "the connection was closed"],
  ["ConnectionClosed", "the connection was closed"],
  ["ENOTFOUND", "its host was not found"],
  ["FailedToOpenSocket", "its host was not found or could not be reached"],
]);

function makeFailure(maker: string, reason: string): UserError {
  return new UserError(makerSentences.exactFailed(maker, reason), exitCodes.serverUnreachable);
}

// The rate limits of makers are per minute.
export const exactWaitMaxMs = 65_000;

export function isTemporaryFailure(status: number): boolean {
  return status === 429 || (status >= 500 && status <= 599);
}

// In ms. Undefined if the maker asks for a wait longer than `exactWaitMaxMs`.
export function computeRetryDelay(
  header: string | null,
  attempt: number,
  nowMs: number,
): number | undefined {
  const requested = header === null ? undefined : parseRetryAfter(header.trim(), nowMs);
  const delay = requested ?? 1000 * 2 ** attempt;
  return delay <= exactWaitMaxMs ? delay : undefined;
}

function parseRetryAfter(header: string, nowMs: number): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(header)) return Math.ceil(Number(header) * 1000);
  const date = Date.parse(header);
  // If the date is in the past, our clock and the maker's differ: how long to wait is unknown.
  return date > nowMs ? date - nowMs : undefined;
}

export const exactAnswerBytesMax = 64 * 1024;

async function readAnswer(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the body.
    if (bytes > exactAnswerBytesMax) return tooLong;
    chunks.push(chunk);
  }
  return tryParseJson(Buffer.concat(chunks).toString("utf8"));
}

const tooLong = Symbol("too long");

function readErrorMessage(answer: unknown, key: string): string {
  const message = readString(readMember(answer, "error"), "message") ?? "";
  return clip(message.replaceAll(key, mask).replaceAll(/\s+/g, " ").trim(), problemColumnsMax);
}
