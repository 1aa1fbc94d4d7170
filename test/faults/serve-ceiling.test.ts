// Sessions of chance over HTTP: many clients and calls at once, two processes, answers in forms of chance. Texts that reach the
// clients never cost more than the limits. SERVE_SEEDS and SERVE_FROM play more of them.
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { resolveEstimator } from "#tokens/estimators/index.ts";
import { loadTokenizer } from "#state/storage/load-tokenizer.ts";
import { Random } from "../../scripts/fuzz/contents.ts";
import {
  answerTo,
  event,
  eventsHead,
  head,
  jsonHead,
  whole,
  type Form,
  forms,
} from "../support/over-budget-answers.ts";
import { type Host, hosts } from "../support/sdk-hosts.ts";
import { startOverBudgetServer } from "../support/over-budget-server.ts";
import { Folder } from "../support/folder.ts";
import type { RawAnswer, RawRequest } from "../support/raw-http-server.ts";
import { hasRedis, RedisServer } from "../support/redis.ts";
import { ServedProxy } from "../support/served-proxy.ts";

const seeds = Number(process.env["SERVE_SEEDS"] ?? "4");
const begin = Number(process.env["SERVE_FROM"] ?? "1");

setDefaultTimeout(60_000 + seeds * 20_000);

const { estimator } = resolveEstimator({ tokenizer: "o200k" }, { loadTokenizer });

/** Words of one token each, behind a mark that no text of ours has. */
const mark = "given";
const wordsOf = (count: number): string => `${mark}${" word".repeat(count)}`;

function tokensIn(got: string): number {
  const texts = new Set(got.match(/given(?: word)*/g));
  return [...texts].reduce((sum, text) => sum + estimator.count(text), 0);
}

function answered(random: Random): Form {
  return ({ id, request }) => {
    const text = wordsOf(random.below(random.chance(0.3) ? 400 : 60));
    const answer = answerTo(id, text);
    const later = Bun.sleep(random.below(25));
    const isModern = request.headers.get("mcp-method") !== null;
    const odd = random.pick(Object.values(forms));
    return random.pick<() => RawAnswer>([
      () => whole(later, jsonHead, answer),
      () => whole(eventsHead, later, event(answer, random.pick(["\n", "\r\n"]))),
      () => whole(eventsHead, event(answer), event(answerTo(id, wordsOf(300)))),
      () => whole(jsonHead, `[${answer}]`),
      () => whole(later, jsonHead, answerTo(String(id), text)),
      () => whole(head("500 Broken", "Content-Type: text/plain"), text),
      () =>
        whole(
          head("200 OK", "Content-Type: application/json", "Content-Encoding: gzip"),
          gzipSync(answer),
        ),
      () => whole(head("200 OK", "Content-Type: application/json", "Mcp-Session-Id: x"), answer),
      () =>
        isModern
          ? whole(jsonHead, answer)
          : whole(eventsHead, `retry: 1\nid: ${id} ${text}\ndata:\n\n`),
      () => odd({ id, request }),
    ])();
  };
}

function resumed({ method, headers }: RawRequest): RawAnswer | undefined {
  const [, id, text = ""] = /^(\d+) (given.*)$/.exec(headers.get("last-event-id") ?? "") ?? [];
  if (method !== "GET" || id === undefined) return undefined;
  return whole(eventsHead, event(answerTo(Number(id), text), "\n", [`id: ${id}`]));
}

type Player = { readonly host: Host; readonly conversation: string; tokens: number; left: number };

async function play(player: Player, random: Random): Promise<void> {
  for (let burst = 0; burst < 4; burst += 1) {
    const calls = Array.from({ length: 1 + random.below(3) }, () =>
      player.host.call("chance", random.chance(0.15) ? 10 + random.below(30) : 2_000),
    );
    for (const got of await Promise.all(calls)) {
      player.tokens += tokensIn(got);
      if (got.includes("timed out")) player.left += 1;
    }
  }
  await player.host.close();
}

async function session(
  seed: number,
  optionsOf: (folder: Folder) => readonly string[],
): Promise<number> {
  const random = new Random(seed);
  const [month, own, calls] = [
    400 + random.below(1_500),
    200 + random.below(900),
    8 + random.below(30),
  ];
  using folder = new Folder();
  using server = await startOverBudgetServer({ chance: answered(random) }, resumed);
  const budgets = [`${month}/month`, `${own}/session`, `${calls}calls/month`];
  const options = [...budgets.flatMap((one) => ["--budget", one]), ...optionsOf(folder)];
  using first = await ServedProxy.start(server.url, options, { folder });
  using second = await ServedProxy.start(server.url, options, { folder });
  const players = await Promise.all(
    Array.from({ length: 6 }, async (_, at): Promise<Player> => {
      const [kind, open] = random.pick(Object.entries(hosts));
      const [proxy, name] = random.pick([
        [first, "first"],
        [second, "second"],
      ] as const);
      const conversation = kind.endsWith("modern") ? `${name} ${kind}` : String(at);
      return { host: await open(proxy.url), conversation, tokens: 0, left: 0 };
    }),
  );
  await Promise.all(players.map((player, at) => play(player, new Random(seed * 100 + at))));
  const total = players.reduce((sum, { tokens }) => sum + tokens, 0);
  // A call that is cancelled gives back what it reserved.
  const left = players.reduce((sum, player) => sum + player.left, 0);
  const asked = server.requests.filter(({ message }) => message?.["method"] === "tools/call");
  expect(asked.length, `calls of seed ${seed}`).toBeLessThanOrEqual(calls + left);
  expect(total, `tokens of seed ${seed}`).toBeLessThanOrEqual(month);
  for (const [name, all] of Map.groupBy(players, ({ conversation }) => conversation)) {
    const tokens = all.reduce((sum, one) => sum + one.tokens, 0);
    expect(tokens, `conversation ${name} of seed ${seed}`).toBeLessThanOrEqual(own);
  }
  expect([first.started.child.exitCode, second.started.child.exitCode]).toEqual([null, null]);
  return total;
}

async function sessions(optionsOf: (folder: Folder) => readonly string[]): Promise<void> {
  let total = 0;
  for (let seed = begin; seed < begin + seeds; seed += 1) total += await session(seed, optionsOf);
  expect(total).toBeGreaterThan(0);
}

test(`row 127: ${seeds} sessions of chance, from seed ${begin}, with counters in a file (slow)`, async () => {
  await sessions(() => []);
});

const isThere = hasRedis("row 127");
let redis: RedisServer | undefined;
// Not before: where a filter leaves no test of this file, nothing would end it.
beforeAll(async () => {
  if (isThere) redis = await RedisServer.start();
});
afterAll(() => redis?.[Symbol.asyncDispose]());

test.if(isThere)(`row 127: the same with counters in Redis (slow)`, async () => {
  await sessions(({ path }) => [
    "--counters",
    redis?.url ?? "",
    "--fleet",
    path.replaceAll(/\W/g, ""),
  ]);
});
