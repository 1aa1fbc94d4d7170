import { describe, expect, test } from "bun:test";
import { createReaderChooser } from "#commands/reader-chooser.ts";
import type { EstimatorId } from "#tokens/estimators/ids.ts";
import type { MeterOptions } from "#meter/session/event.ts";
import { GatedSession } from "./gated-session.ts";
import { o200kTokens, type SpokenEra, spokenEras } from "./eras.ts";
import { Play } from "./play.ts";

type Spoken = { readonly name: string; readonly model?: string };

const goldenClients = {
  "Claude Code": { name: "claude-code" },
  Codex: { name: "codex-mcp-client", model: "gpt-5.5" },
  "Gemini CLI": { name: "gemini-cli-mcp-client" },
  Cursor: { name: "cursor-vscode" },
  "VS Code": { name: "Visual Studio Code" },
  unknown: { name: "golden-host" },
} as const satisfies { readonly [client: string]: Spoken };

export type GoldenClient = keyof typeof goldenClients;

export function clientAndModel(client: GoldenClient): {
  readonly client: string;
  readonly model?: string;
} {
  const { name, ...rest }: Spoken = goldenClients[client];
  return { client: name, ...rest };
}

export const wireName = (client: GoldenClient): string => goldenClients[client].name;

export type PerClient<Row> = { readonly [client in GoldenClient]: Row };

/** A single text in an answer, with its tokens as it is and in the frame of Gemini CLI. */
export function shownText(text: string, tokens: number, framedTokens: number): PerClient<Texts> {
  const plain: Texts = [[text, tokens]];
  return {
    "Claude Code": plain,
    Codex: [codexHeader, ...plain],
    "Gemini CLI": [[wrapUntrusted(text), framedTokens]],
    Cursor: plain,
    "VS Code": plain,
    unknown: plain,
  };
}

export function rowsOf<Row>(table: PerClient<Row>): readonly (readonly [GoldenClient, Row])[] {
  const names = Object.keys(goldenClients).filter((name) => name in table);
  return names.flatMap((name) => (isGolden(name) ? [[name, table[name]] as const] : []));
}

function isGolden(name: string): name is GoldenClient {
  return Object.hasOwn(goldenClients, name);
}

/** Texts as a model reads them, each with its tokens of o200k. */
export type Texts = readonly (readonly [text: string, tokens: number])[];

export const tokensOf = (texts: Texts): number => texts.reduce((sum, [, one]) => sum + one, 0);

export function forEachClient<Row>(
  rows: PerClient<Row>,
  tests: (row: Row, client: GoldenClient, era: SpokenEra) => void,
): void {
  for (const era of spokenEras) {
    for (const [client, row] of rowsOf(rows)) {
      describe(`${era.era}, ${client}`, () => tests(row, client, era));
    }
  }
}

export function testTokenCounts(name: string, texts: readonly Texts[]): void {
  test(`tiktoken: ${name}`, () => {
    const pairs = texts.flat();
    expect(pairs.map(([text]): [string, number] => [text, o200kTokens(text)])).toEqual(
      pairs.map(([text, tokens]) => [text, tokens]),
    );
  });
}

export function clientReader(
  client: GoldenClient,
  tokenizer: EstimatorId | "auto" = "o200k",
  given?: string,
): MeterOptions["readerFor"] {
  const spoken: Spoken = goldenClients[client];
  const model = given ?? spoken.model;
  return createReaderChooser({ tokenizer, model, client: undefined, windowTokens: undefined });
}

export function startPlay(
  client: GoldenClient,
  era: SpokenEra,
  changes: Partial<MeterOptions> = {},
): Play {
  const { asked, answered } = era.begin(wireName(client));
  return new Play({ readerFor: clientReader(client), ...changes }).client(asked).server(answered);
}

export function startGatedSession(
  budgets: readonly string[],
  client: GoldenClient,
  era: SpokenEra,
  changes: ConstructorParameters<typeof GatedSession>[1] = {},
): GatedSession {
  const { asked, answered } = era.begin(wireName(client));
  const terms = { readerFor: clientReader(client), ...changes };
  return new GatedSession(budgets, terms).client(asked).server(answered);
}

export function playCall(
  client: GoldenClient,
  era: SpokenEra,
  result: object,
  changes: Partial<MeterOptions> = {},
): Play {
  return startPlay(client, era, changes)
    .client(era.ask(1, "tools/call", { name: "search", arguments: {} }))
    .server(era.answer(1, result))
    .end();
}

/** Tokens of these clients' own models per token of o200k, as the estimators state them. */
const ownFactors: PerClient<{ readonly text: number; readonly json: number }> = {
  "Claude Code": { text: 1.55, json: 1.8 },
  Codex: { text: 1, json: 1 },
  "Gemini CLI": { text: 1.07, json: 1.07 },
  Cursor: { text: 1, json: 1 },
  "VS Code": { text: 1, json: 1 },
  unknown: { text: 1, json: 1 },
};

export function countModelTokens(client: GoldenClient, texts: Texts, json: Texts = []): number {
  const factors = ownFactors[client];
  const scaled = (all: Texts, factor: number): number =>
    all.reduce((sum, [, tokens]) => sum + Math.round(tokens * factor), 0);
  return scaled(texts, factors.text) + scaled(json, factors.json);
}

export const codexHeader = ["Wall time: 0.0110 seconds\nOutput:", 12] as const;

export const wrapUntrusted = (text: string): string =>
  `<untrusted_context>\n${text}\n</untrusted_context>`;
