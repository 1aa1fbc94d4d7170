import { exitCodes, UserError } from "#kit/errors.ts";
import { errorCode } from "#kit/os/error-code.ts";
import type { MakerAccount } from "./account.ts";
import type { CountQuestion, Maker } from "./maker.ts";
import { messageIn, readAnswer, tooLong } from "./read-answer.ts";
import { isTemporary, retryDelay } from "./retry-delay.ts";
import { makerSentences } from "./sentences.ts";

export const exactAttemptsMax = 6;

const exactAnswerMaxMs = 30_000;

export type MakerModel = {
  readonly maker: Maker;
  readonly model: string;
  readonly account: MakerAccount;
};

export type AskingWorld = {
  readonly waiting: (maker: string, ms: number) => void;
  readonly wait: (ms: number) => Promise<void>;
  readonly answerMaxMs?: number;
};

/** Waits for a rate limit and an overload, some times. Throws UserError, never with the key in it. */
export async function ask(
  counter: MakerModel,
  question: CountQuestion,
  world: AskingWorld,
): Promise<number> {
  const { name } = counter.maker;
  for (let attempt = 0; attempt < exactAttemptsMax; attempt += 1) {
    const { status, answer, retryAfter } = await send(counter, question, world);
    if (!isTemporary(status)) return judge(counter, status, answer);
    const delay = retryDelay(retryAfter, attempt, Date.now());
    if (delay === undefined) {
      throw failed(name, `it asks to wait longer than this program does (status ${status})`);
    }
    if (attempt + 1 === exactAttemptsMax) break;
    world.waiting(name, delay);
    await world.wait(delay);
  }
  throw failed(name, `${exactAttemptsMax} attempts met a rate limit or an overload`);
}

type Answered = {
  readonly status: number;
  readonly answer: unknown;
  readonly retryAfter: string | null;
};

async function send(
  { maker, model, account: { url, key } }: MakerModel,
  question: CountQuestion,
  { answerMaxMs = exactAnswerMaxMs }: AskingWorld,
): Promise<Answered> {
  const { path, headers, body } = maker.request(model, question, key);
  const target = `${url.href.replace(/\/+$/, "")}${path}`;
  try {
    const response = await fetch(target, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
      // The key must not follow to another address.
      redirect: "manual",
      signal: AbortSignal.timeout(answerMaxMs),
    });
    const answer = await readAnswer(response);
    return { status: response.status, answer, retryAfter: response.headers.get("retry-after") };
  } catch (error) {
    throw failed(maker.name, reasonOf(error, answerMaxMs));
  }
}

function judge({ maker, model, account }: MakerModel, status: number, answer: unknown): number {
  const { name } = maker;
  if (status >= 300 && status < 400) throw failed(name, "it redirects to another address");
  if (status === 401 || status === 403) {
    throw new UserError(makerSentences.exactKeyRejected(name, account.keyVariable, status));
  }
  if (status === 404) throw new UserError(makerSentences.exactModelUnknown(name, model));
  if (answer === tooLong) throw failed(name, "its answer is too long");
  if (status !== 200) {
    const message = messageIn(answer, account.key);
    throw new UserError(makerSentences.exactRefused(name, status, message));
  }
  const tokens = maker.tokens(answer);
  if (tokens === undefined) throw failed(name, "its answer is not a count of tokens");
  return tokens;
}

function reasonOf(error: unknown, answerMaxMs: number): string {
  if (error instanceof Error && error.name === "TimeoutError") {
    return `no answer within ${Math.ceil(answerMaxMs / 1000)} s`;
  }
  const code = errorCode(error);
  return networkFaults.get(code) ?? "the connection failed";
}

/** Other messages may quote the request. */
const networkFaults: ReadonlyMap<string, string> = new Map([
  ["ConnectionRefused", "the connection was refused"],
  ["ECONNREFUSED", "the connection was refused"],
  ["ECONNRESET", "the connection was closed"],
  ["ConnectionClosed", "the connection was closed"],
  ["ENOTFOUND", "its host was not found"],
  ["FailedToOpenSocket", "its host was not found or not reached"],
]);

function failed(maker: string, reason: string): UserError {
  return new UserError(makerSentences.exactFailed(maker, reason), exitCodes.serverUnreachable);
}
