import { describe, expect, test } from "bun:test";
import { UserError } from "#kit/errors.ts";
import { exactAttemptsMax, ask, exactAnswerBytesMax } from "#state/makers/exact-counts.ts";
import { findAccount } from "#state/makers/maker.ts";
import { anthropic } from "#state/makers/anthropic.ts";
import { google } from "#state/makers/google.ts";
import { type AskedRequest, ImitatedMaker } from "../../support/imitated-maker.ts";

const env = { ANTHROPIC_API_KEY: "sk-secret", GEMINI_API_KEY: "sk-secret" };

function world(answerMaxMs?: number) {
  const waits: number[] = [];
  return {
    waits,
    reportWait: (_: string, ms: number) => void waits.push(ms),
    wait: async () => undefined,
    ...(answerMaxMs === undefined ? {} : { answerMaxMs }),
  };
}

function counter(url: string, maker = anthropic) {
  const model = maker === google ? "gemini-3-pro" : "claude-opus-5";
  return { maker, model, account: findAccount(maker, { ...env, [maker.urlVariable]: url }) };
}

async function catchFailure(
  answer: (request: AskedRequest, at: number) => Response | Promise<Response> | undefined,
  answerMaxMs?: number,
): Promise<{ sentence: string; code: number | undefined; requests: number }> {
  using maker = new ImitatedMaker(answer);
  try {
    await ask(counter(maker.url), { text: "a" }, world(answerMaxMs));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    expect(error.message).not.toContain("sk-secret");
    return { sentence: error.message, code: error.exitCode, requests: maker.asked.length };
  }
  return { sentence: "(nothing was thrown)", code: 0, requests: maker.asked.length };
}

const refused = (status: number, message = "x") =>
  Response.json({ type: "error", error: { type: "t", message } }, { status });

const limited = () => new Response("{}", { status: 429, headers: { "retry-after": "3" } });

const endless = () => new Response(new ReadableStream({ start: (to) => to.enqueue("{") }));

describe("ask", () => {
  test("counts one request of either maker, also below a path", async () => {
    using maker = new ImitatedMaker();
    expect(await ask(counter(`${maker.url}/gateway/`), { text: "abc" }, world())).toBe(10);
    expect(await ask(counter(maker.url, google), { text: "abc" }, world())).toBe(10);
    expect(maker.asked.map(({ path }) => path)).toEqual([
      "/gateway/v1/messages/count_tokens",
      "/v1beta/models/gemini-3-pro:countTokens",
    ]);
    expect(maker.asked[0]?.headers.get("x-api-key")).toBe("sk-secret");
    expect(maker.asked[1]?.headers.get("x-goog-api-key")).toBe("sk-secret");
  });

  test("waits as long as a rate limit asks, then counts", async () => {
    using maker = new ImitatedMaker((_, at) => (at < 2 ? limited() : undefined));
    const asking = world();
    expect(await ask(counter(maker.url), { text: "a" }, asking)).toBe(8);
    expect([asking.waits, maker.asked.length]).toEqual([[3000, 3000], 3]);
  });

  test.each([
    [
      "a rejected key",
      () => refused(401),
      "Cannot get exact counts: Anthropic rejects the key in ANTHROPIC_API_KEY (status 401)",
      undefined,
    ],
    [
      "a missing right",
      () => refused(403),
      "Cannot get exact counts: Anthropic rejects the key in ANTHROPIC_API_KEY (status 403)",
      undefined,
    ],
    [
      "an unknown model",
      () => refused(404),
      'Cannot get exact counts: Anthropic has no model "claude-opus-5"; pass its full name, such as claude-opus-5 or gemini-3-pro',
      undefined,
    ],
    [
      "a refused request that quotes the key",
      () => refused(400, "tools.0: bad\nsk-secret"),
      'Cannot get exact counts: Anthropic answers "tools.0: bad ***" (status 400)',
      undefined,
    ],
    [
      "a refusal without words",
      () => new Response("<html>", { status: 413 }),
      "Cannot get exact counts: Anthropic answers with status 413",
      undefined,
    ],
    [
      "a text",
      () => new Response("hello"),
      "Cannot get exact counts from Anthropic: its answer has no token count",
      3,
    ],
    [
      "another count",
      () => Response.json({ input_tokens: -4 }),
      "Cannot get exact counts from Anthropic: its answer has no token count",
      3,
    ],
    [
      "a huge answer",
      () => new Response("x".repeat(exactAnswerBytesMax + 1)),
      "Cannot get exact counts from Anthropic: its answer is too long",
      3,
    ],
    [
      "a wait of an hour",
      () => new Response("", { status: 429, headers: { "retry-after": "3600" } }),
      "Cannot get exact counts from Anthropic: it asks for a longer wait than mcp-meter allows (status 429)",
      3,
    ],
  ] as const)("%s is one sentence, after one request", async (_, answer, sentence, code) => {
    expect(await catchFailure(answer)).toEqual({ sentence, code, requests: 1 });
  });

  test("a service that stays overloaded is given up", async () => {
    expect(await catchFailure(() => refused(529))).toEqual({
      sentence: `Cannot get exact counts from Anthropic: ${exactAttemptsMax} attempts hit a rate limit or a server error`,
      code: 3,
      requests: exactAttemptsMax,
    });
  });

  test("a redirect is not followed, so the key stays", async () => {
    using elsewhere = new ImitatedMaker();
    for (const status of [301, 302, 307, 308]) {
      const { sentence } = await catchFailure(() =>
        Response.redirect(`${elsewhere.url}/v1`, status),
      );
      expect(sentence).toBe(
        "Cannot get exact counts from Anthropic: it redirects to another address",
      );
    }
    expect(elsewhere.asked).toEqual([]);
  });

  test("an answer that does not come has a limit", async () => {
    const never = Promise.withResolvers<Response>();
    const { sentence, code } = await catchFailure(() => never.promise, 50);
    expect([sentence, code]).toEqual([
      "Cannot get exact counts from Anthropic: no answer within 1 s",
      3,
    ]);
    never.resolve(new Response(""));
  });

  test("so has one that does not end", async () => {
    const { sentence } = await catchFailure(endless, 50);
    expect(sentence).toBe("Cannot get exact counts from Anthropic: no answer within 1 s");
  });

  test("a host that is not there", async () => {
    let url = "";
    {
      using maker = new ImitatedMaker();
      url = maker.url;
    }
    const asking = ask(counter(url), { text: "a" }, world());
    expect(asking).rejects.toThrow(
      /^Cannot get exact counts from Anthropic: (?:the connection was refused|its host was not found or could not be reached)$/,
    );
  });
});
