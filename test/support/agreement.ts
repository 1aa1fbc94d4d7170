import { countText } from "#commands/count/command.ts";
import { createReaderChooser } from "#commands/reader-chooser.ts";
import { reportCheck } from "#check/report.ts";
import { estimateDefinitions } from "#tokens/cost/add-up-definitions.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import type { EstimatorId } from "#tokens/estimators/ids.ts";
import { resolveEstimator } from "#tokens/estimators/index.ts";
import { judgeLock } from "#lock/lock-report.ts";
import { lockServer, type Lock, readLock, formatLock } from "#lock/lock.ts";
import { profileServer, type ProfileContext, type ServerListing } from "#lock/profile.ts";
import { Ledgers } from "#records/ledger.ts";
import type { DefinitionsRecord, MeterRecord } from "#records/record.ts";
import { formatRecordLine } from "#state/sinks/record-queue.ts";
import { isRecord } from "#state/storage/read-records.ts";
import { loadTokenizer } from "#state/storage/load-tokenizer.ts";
import { isObject, type JsonObject } from "#wire/json.ts";
import { type SpokenEra, spokenEras } from "./eras.ts";
import { Play, sha256 } from "./play.ts";
import type { Definitions } from "./replay.ts";

export type Priced = {
  readonly total: number;
  readonly tools: readonly string[];
};

export type AskedReader = {
  readonly tokenizer: EstimatorId;
  readonly client?: string;
  readonly model?: string;
  readonly era?: SpokenEra["era"];
};

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  const members = Object.entries(value).toReversed();
  return Object.fromEntries(members.map(([key, one]) => [key, reversed(one)]));
}

const objects = (list: readonly unknown[]): readonly JsonObject[] => list.filter(isObject);

export function pricesByCommand(
  { tools, instructions }: Definitions,
  { tokenizer, client, model, era = "legacy" }: AskedReader,
): { readonly [command: string]: Priced } {
  const reading = { tokenizer, model, client, windowTokens: undefined };
  const terms: ProfileContext = {
    reader: createReaderChooser(reading)("mcp-meter"),
    thresholds: riskThresholdsDefault,
    hash: sha256,
  };
  const listing = listingOf(objects(tools), instructions);
  const other = listingOf(objects(tools.map(reversed)), instructions);
  const records = play(other, reading, era);
  const listed = records.find((record) => record.type === "definitions");
  if (!listed) throw new Error("the session has no definitions");
  const locked = lockServer(other, terms);
  return {
    profile: profiled(listing, terms),
    run: pricedBy(listed.total_tokens, listed.tools),
    report: reported(records, listed),
    lock: pricedLock(locked),
    check: checked(locked, listing, terms),
  };
}

export function countedList({ tools }: Definitions, tokenizer: EstimatorId): number {
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tools: tools.map(reversed) } });
  const choice = { tokenizer, model: "gpt-5" };
  const resolved = resolveEstimator(choice, { loadTokenizer });
  const { tokens, countedAs } = countText(text, { ...resolved, isTokenizerAlone: false });
  if (countedAs !== "definitions") throw new Error(`counted as ${countedAs}`);
  return tokens;
}

function listingOf(tools: readonly JsonObject[], instructions: string | undefined): ServerListing {
  const server = { name: "garden", version: null, protocol_version: null, era: null };
  return { server, instructions, tools, prompts: [], resources: [], resourceTemplates: [] };
}

function pricedBy(
  total: number,
  tools: readonly { readonly name: string; readonly tokens: number }[],
): Priced {
  return { total, tools: tools.map(({ name, tokens }) => `${name} ${tokens}`).toSorted() };
}

function profiled(listing: ServerListing, terms: ProfileContext): Priced {
  const { tools, instructions } = listing;
  const definitions = estimateDefinitions({ tools, instructions }, terms.reader, terms.hash);
  const profile = profileServer(listing, definitions, terms);
  return pricedBy(profile.definitions.total_tokens, profile.tools);
}

function play(
  { tools, instructions }: ServerListing,
  reading: Parameters<typeof createReaderChooser>[0],
  name: SpokenEra["era"],
): readonly MeterRecord[] {
  const era = spokenEras.find((one) => one.era === name);
  if (!era) throw new Error(`no era is ${name}`);
  const { asked, answered } = era.begin("golden-host");
  return new Play({ readerFor: createReaderChooser(reading) })
    .client(asked)
    .server({ ...answered, result: { ...Object(answered["result"]), instructions } })
    .client(era.ask(1, "tools/list"))
    .server(era.answer(1, { tools }))
    .end().records;
}

function reported(records: readonly MeterRecord[], { tools }: DefinitionsRecord): Priced {
  const ledgers = new Ledgers();
  for (const record of records) {
    const read: unknown = JSON.parse(formatRecordLine(record));
    if (!isRecord(read)) throw new Error(`not a record: ${record.type}`);
    ledgers.add(read);
  }
  const [summary, ...more] = ledgers.summarize();
  if (!summary?.definitions || more.length > 0) throw new Error("not one summary");
  const { tokens, most_expensive: expensive } = summary.definitions;
  const rest = tools
    .toSorted((one, another) => another.tokens - one.tokens)
    .slice(expensive.length);
  return pricedBy(tokens, [...expensive, ...rest]);
}

function pricedLock({ total_tokens: total, tools }: Lock): Priced {
  return pricedBy(
    total,
    tools.map(({ name, tokens }) => ({ name, tokens: tokens.total })),
  );
}

/** A check against the lock as it is in a file; the server has changed nothing but the order of members. */
function checked(locked: Lock, listing: ServerListing, terms: ProfileContext): Priced {
  const read = readLock(formatLock(locked));
  if ("fault" in read) throw new Error(read.fault);
  const { thresholds } = terms;
  const limits = {};
  const judging = { lockFile: "mcp-meter.lock", limits, failOn: "risky", thresholds } as const;
  const definitions = judgeLock(read.lock, lockServer(listing, terms), judging);
  const input = { definitions, hasLock: true, callsFile: null, calls: [], budgets: [] };
  const report = reportCheck(input);
  const faults = new Set<string>(["tool_listed_twice", "input_schema_rejected"]);
  const others = report.problems.filter(({ rule }) => !faults.has(rule));
  if (others.length > 0) throw new Error("the check failed");
  const { before, after } = definitions.total_tokens;
  if (before !== after) throw new Error(`${before} tokens in the lock, ${after} now`);
  return { ...pricedLock(read.lock), total: after };
}
