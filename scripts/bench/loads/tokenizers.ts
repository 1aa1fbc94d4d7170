import { join } from "node:path";
import type { Encoding } from "#tokens/tokenizer/tokenizer.ts";
import type { Bench } from "../bench.ts";
import {
  atLeast,
  atMost,
  type Measurement,
  median,
  medianRatio,
  sum,
  type Verdict,
} from "../figures.ts";
import { compileProgram } from "../processes.ts";
import { makeBenchTexts, makeBombs } from "./texts.ts";

const root = join(import.meta.dir, "../../..");
const mixedText = "mixed MCP payloads";
const ours = "mcp-meter";
const wasm = "tiktoken (WASM)";

type Count = (text: string) => number;

async function loadOurs(encoding: Encoding): Promise<Count> {
  const { Tokenizer } = await import("#tokens/tokenizer/tokenizer.ts");
  const file = await Bun.file(join(root, `dist/vocabulary/${encoding}.bin`)).arrayBuffer();
  const tokenizer = new Tokenizer(encoding, file);
  return (text) => tokenizer.count(text);
}

const peers: Readonly<Record<string, () => Promise<Count>>> = {
  [ours]: () => loadOurs("o200k_base"),
  "ai-tokenizer": async () => {
    const [{ Tokenizer }, encoding] = await Promise.all([
      import("ai-tokenizer"),
      import("ai-tokenizer/encoding/o200k_base"),
    ]);
    const tokenizer = new Tokenizer(encoding);
    return (text) => tokenizer.count(text);
  },
  "gpt-tokenizer": async () => {
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
    return (text) => countTokens(text, { disallowedSpecial: new Set() });
  },
  "js-tiktoken": async () => {
    const { Tiktoken } = await import("js-tiktoken/lite");
    const { default: ranks } = await import("js-tiktoken/ranks/o200k_base");
    const encoder = new Tiktoken(ranks);
    return (text) => encoder.encode(text, [], []).length;
  },
  [wasm]: async () => {
    const { Tiktoken } = await import("tiktoken");
    const { default: ranks } = await import("tiktoken/encoders/o200k_base.json");
    const encoder = new Tiktoken(ranks.bpe_ranks, ranks.special_tokens, ranks.pat_str);
    return (text) => encoder.encode_ordinary(text).length;
  },
};

type Row = {
  readonly peer: string;
  readonly speeds: ReadonlyMap<string, readonly number[]>;
};

export async function benchTokenizers(bench: Bench): Promise<Measurement> {
  const { buildVocabularies, encodings } = await import("../../vocabulary.ts");
  await buildVocabularies();
  const bombs: Verdict[] = [];
  for (const encoding of encodings) bombs.push(judgeWorstBomb(encoding, await loadOurs(encoding)));
  const firstCountMs = measureFirstCount(bench);
  const rows = await measurePeers();
  return {
    caption: "Megabytes per second of text that was not counted before.",
    columns: [...(rows[0]?.speeds.keys() ?? [])],
    rows: rows.map(({ peer, speeds }) => ({
      contestant: peer,
      figures: [...speeds.values()].map((parts) => ({ value: median(parts), unit: "MB/s" })),
    })),
    verdicts: [
      ...judgeSpeeds(rows),
      ...bombs,
      atMost("first count in an executable", firstCountMs, 10, "ms"),
    ],
  };
}

async function measurePeers(): Promise<readonly Row[]> {
  const counts = new Map<string, Count>();
  for (const [peer, load] of Object.entries(peers)) counts.set(peer, await load());
  const texts = [...makeBenchTexts()].map(
    ([name, text]) => [name, measureSpeeds(counts, text)] as const,
  );
  return [...counts.keys()].map((peer) => ({
    peer,
    speeds: new Map(texts.map(([name, speeds]) => [name, speeds.get(peer) ?? []])),
  }));
}

function judgeSpeeds(rows: readonly Row[]): readonly Verdict[] {
  const parts = (row: Row | undefined) => row?.speeds.get(mixedText) ?? [];
  const mine = parts(rows.find(({ peer }) => peer === ours));
  const againstWasm = medianRatio(mine, parts(rows.find(({ peer }) => peer === wasm)));
  const others = rows.filter(({ peer }) => peer !== ours && peer !== wasm);
  const fastest = Math.min(...others.map((row) => medianRatio(mine, parts(row))));
  return [
    atLeast(`${mixedText}, cold, against tiktoken's WASM`, againstWasm, 10, "×"),
    atLeast(`${mixedText}, cold, against the fastest JavaScript`, fastest, 3, "×"),
  ];
}

const bombBytes = 1_000_000;
const bombWarmUps = 3;
const bombRounds = 15;

/** Compares the time per byte of each text that is one long piece with prose counted just before it. */
function judgeWorstBomb(encoding: string, count: Count): Verdict {
  const prose = toPayloads(makeBenchTexts().get("prose") ?? "");
  const nsPerByte = (texts: readonly string[]): number =>
    (measureMs(count, texts) * 1e6) / countBytes(texts);
  const ratios = Object.entries(makeBombs).map(([name, make]): readonly [string, number] => {
    const bomb = [make(bombBytes)];
    const round = (): number => {
      const proseNs = nsPerByte(prose);
      return nsPerByte(bomb) / proseNs;
    };
    for (let warmUp = 0; warmUp < bombWarmUps; warmUp++) round();
    return [name, median(Array.from({ length: bombRounds }, round))];
  });
  const [worst, ratio] = ratios.reduce((most, bomb) => (bomb[1] > most[1] ? bomb : most));
  return atMost(`${encoding}: worst bomb (${worst}) against prose, per byte`, ratio, 4, "×");
}

const payloadCharacters = 16_384;
const partCount = 5;
const warmUps = 12;
const warmUpsMs = 500;
const warmUpsMsMax = 1500;

function measureSpeeds(
  counts: ReadonlyMap<string, Count>,
  text: string,
): ReadonlyMap<string, readonly number[]> {
  const payloads = toPayloads(text);
  const half = payloads.length >> 1;
  const known = payloads.slice(0, half);
  for (const count of counts.values()) {
    let ms = 0;
    for (let pass = 0; ms < warmUpsMsMax && (pass < warmUps || ms < warmUpsMs); pass++)
      ms += measureMs(count, known);
  }
  const speeds = new Map([...counts.keys()].map((name): [string, number[]] => [name, []]));
  for (let index = 0; index < partCount; index++) {
    const part = payloads.slice(half).filter((_, at) => at % partCount === index);
    for (const [name, count] of counts) {
      measureMs(count, known.slice(index, index + 1));
      speeds.get(name)?.push(countBytes(part) / measureMs(count, part) / 1000);
    }
  }
  return speeds;
}

function countBytes(payloads: readonly string[]): number {
  return sum(payloads.map((payload) => Buffer.byteLength(payload)));
}

function toPayloads(text: string): readonly string[] {
  const payloads: string[] = [];
  for (let at = 0; at < text.length; at += payloadCharacters) {
    payloads.push(Buffer.from(text.slice(at, at + payloadCharacters)).toString());
  }
  return payloads;
}

function measureMs(count: Count, texts: readonly string[]): number {
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  for (const text of texts) count(text);
  const wall = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpu);
  return Math.min(wall, (user + system) / 1000);
}

const processRuns = 5;

function measureFirstCount({ scratch }: Bench): number {
  const source = join(import.meta.dir, "first-count.ts");
  const executable = compileProgram(source, join(scratch, "first-count"), "--splitting");
  return median(
    Array.from({ length: processRuns }, () =>
      Number(Bun.spawnSync([executable]).stdout.toString()),
    ),
  );
}
