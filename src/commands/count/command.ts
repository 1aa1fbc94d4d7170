import { isUtf8 } from "node:buffer";
import { findProfile } from "#tokens/cost/client-profiles/recognize-client.ts";
import type { Estimation, Estimator, ChunkCounter } from "#tokens/cost/estimator.ts";
import { UserError, tryParseJson } from "#kit/errors.ts";
import { formatCount } from "#kit/text/numbers.ts";
import { decodeUtf8 } from "#tokens/estimators/bpe.ts";
import { resolveEstimator, type ResolvedEstimator } from "#tokens/estimators/index.ts";
import type { Ending, Io } from "#kit/io.ts";
import { buildMakerEstimation } from "#screens/renderers/documents/estimator-notes.ts";
import {
  type CountResult,
  type CountedInput,
  buildCountDocument,
} from "#screens/renderers/documents/count.ts";
import { readChunks } from "#kit/os/open-file.ts";
import { loadTokenizer } from "#state/storage/load-tokenizer.ts";
import { Teller } from "#kit/text/teller.ts";
import { openExactCounts, type OpenExactCounts } from "../exact-option.ts";
import { judgeTotals, printOutput, type Output } from "../output/output-options.ts";
import { estimateDefinitions } from "#tokens/cost/add-up-definitions.ts";
import { describeReaderEstimation, type Reader } from "#tokens/cost/reader.ts";
import { sha256 } from "#kit/os/hash.ts";
import type { ExactCounts } from "#state/makers/exact-counts.ts";
import type { EstimatorId } from "#tokens/estimators/ids.ts";
import type { DocumentFormat } from "#screens/renderers/formats.ts";
import { isAlphanumeric, newline } from "#kit/text/ascii.ts";
import { exceedsBounds, readArray, isObject, type JsonObject } from "#wire/json.ts";
import { render } from "#screens/renderers/index.ts";
import type { TerminalOptions } from "#screens/renderers/terminal.ts";
import { describeInput } from "#kit/sentences.ts";

export type CountOptions = Output<DocumentFormat> & {
  readonly tokenizer: EstimatorId | "auto";
  readonly model: string | undefined;
  readonly tokensMax: number | undefined;
  readonly exactModel: string | undefined;
  readonly files: readonly string[];
};

// A large text with more white space than this at either end is not counted as JSON.
const blankEndBytesMax = 1_024;

export async function count(options: CountOptions, io: Io): Promise<Ending> {
  const { notes, ...counted } = await (options.exactModel !== undefined
    ? countFilesExactly(options.files, await openExactCounts(options.exactModel, io))
    : estimateFiles(options));
  const { tell } = new Teller(io.stderr);
  for (const note of notes) tell(note);
  const total = counted.inputs.reduce((sum, { tokens }) => sum + tokens, 0);
  const { format, tokensMax } = options;
  await printOutput((page) => renderCount(format, { ...counted, total }, page), options, io);
  return judgeTotals([["the input", total]], tokensMax, tell);
}

type CountedFiles = Omit<CountResult, "total"> & { readonly notes: readonly string[] };

async function countFilesExactly(
  files: readonly string[],
  { maker, model, counts, cache }: OpenExactCounts,
): Promise<CountedFiles> {
  const inputs: CountedInput[] = [];
  try {
    for (const file of files) inputs.push(await countExactly(file, counts));
  } finally {
    cache.save();
  }
  const notes = inputs.flatMap(({ file, is_utf8: isValid, is_definitions: hasDefinitions }) => [
    ...(isValid ? [] : [countSentences.notUtf8(file)]),
    ...(hasDefinitions ? [countSentences.countedExactly(file, maker.name)] : []),
  ]);
  return { inputs, notes, estimation: buildMakerEstimation({ maker: maker.id, model }) };
}

async function estimateFiles({ tokenizer, model, files }: CountOptions): Promise<CountedFiles> {
  const resolved = resolveEstimator({ tokenizer, model }, { loadTokenizer });
  const isTokenizerAlone = tokenizer !== "auto" && model === undefined;
  const { estimator } = resolved;
  const inputs: CountedInput[] = [];
  const notes: string[] = [];
  for (const file of files) {
    const { input, countedAs } = await countInput(file, { ...resolved, isTokenizerAlone });
    inputs.push(input);
    notes.push(...describeCounting(input, countedAs, estimator));
  }
  return { inputs, notes, estimation: describeEstimation(estimator, inputs) };
}

function describeCounting(
  { file, is_utf8: isValid }: CountedInput,
  countedAs: TextTokens["countedAs"],
  { id, definitions }: Estimator,
): readonly string[] {
  const notes = isValid ? [] : [countSentences.notUtf8(file)];
  if (countedAs === "definitions") {
    notes.push(countSentences.countedAsDefinitions(file, id, definitions !== undefined));
  }
  if (countedAs === "list-as-text") notes.push(countSentences.countedAsText(file));
  return notes;
}

// The estimator may be exact for plain text, but not for definitions: clients add text to them.
function describeEstimation(estimator: Estimator, inputs: readonly CountedInput[]): Estimation {
  if (inputs.every((input) => !input.is_definitions)) return estimator;
  return {
    ...estimator,
    ...describeReaderEstimation({ estimator, profile: findProfile(undefined) }),
  };
}

async function countInput(
  file: string,
  counting: CountChoice,
): Promise<{ readonly input: CountedInput } & Pick<TextTokens, "countedAs">> {
  const { chunks: counter } = counting.estimator;
  const { first, last, units, bytes, isValid } = await readInput(file, counter);
  const hasOnePart = first !== undefined && first === last;
  const { tokens, countedAs }: TextTokens = hasOnePart
    ? countText(decodeUtf8(first), counting)
    : { tokens: counter.toTokens(units, bytes, looksLikeJson(first, last)), countedAs: "text" };
  const isDefinitions = countedAs === "definitions";
  const input = { file, tokens, bytes, is_utf8: isValid, is_definitions: isDefinitions };
  return { input, countedAs };
}

type InputParts = {
  // A text of one part is both `first` and `last`, and `units` is 0. Otherwise `units` is the sum over all parts.
  readonly first: Uint8Array | undefined;
  readonly last: Uint8Array | undefined;
  readonly units: number;
  readonly bytes: number;
  readonly isValid: boolean;
};

async function readInput(file: string, counter: ChunkCounter): Promise<InputParts> {
  let first: Uint8Array | undefined;
  let last: Uint8Array | undefined;
  let [units, bytes, isValid] = [0, 0, true];
  for await (const segment of splitText(readChunks(file))) {
    if (last) units += counter.countUnits(last);
    first ??= segment;
    last = segment;
    bytes += segment.length;
    // Text is cut before ASCII characters, so it is valid UTF-8 if every part is.
    isValid &&= isUtf8(segment);
  }
  if (last && last !== first) units += counter.countUnits(last);
  return { first, last, units, bytes, isValid };
}

function looksLikeJson(first: Uint8Array | undefined, last: Uint8Array | undefined): boolean {
  const start = first && decodeUtf8(first.subarray(0, blankEndBytesMax)).trimStart()[0];
  const end = last && decodeUtf8(last.subarray(-blankEndBytesMax)).trimEnd().at(-1);
  return (start === "{" && end === "}") || (start === "[" && end === "]");
}

type TextTokens = {
  readonly tokens: number;
  readonly countedAs: "text" | "list-as-text" | "definitions";
};

export type CountChoice = ResolvedEstimator & { readonly isTokenizerAlone: boolean };

// Counts a list of tools as `mcp-meter profile` does. If the user names a tokenizer but no model, and the tokenizer has
// no formula for definitions, counts the list as plain text.
export function countText(
  text: string,
  { estimator, model, isTokenizerAlone }: CountChoice,
): TextTokens {
  const tools = parseToolList(text);
  if (!tools) return { tokens: estimator.count(text), countedAs: "text" };
  if (isTokenizerAlone && !estimator.definitions) {
    return { tokens: estimator.count(text), countedAs: "list-as-text" };
  }
  const reader: Reader = {
    estimator,
    family: model.family,
    profile: findProfile(undefined),
    // Has no effect: `total_tokens` does not depend on the window.
    windowTokens: 1,
    model: null,
  };
  const { total_tokens: tokens } = estimateDefinitions({ tools }, reader, sha256);
  return { tokens, countedAs: "definitions" };
}

// Anthropic accepts requests of at most 32 MiB. In JSON, escapes rarely make a text more than twice as long.
export const exactTextBytesMax = 15 * 1024 * 1024;

export async function countExactly(
  file: string,
  counts: Pick<ExactCounts, "countText" | "countList">,
): Promise<CountedInput> {
  const content = await readAll(file);
  const text = decodeUtf8(content);
  const tools = parseToolList(text);
  return {
    file,
    tokens: await (tools ? counts.countList(tools) : counts.countText(text)),
    bytes: content.length,
    is_utf8: isUtf8(content),
    is_definitions: tools !== undefined,
  };
}

async function readAll(file: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of readChunks(file)) {
    bytes += chunk.length;
    if (bytes > exactTextBytesMax) {
      throw new UserError(countSentences.exactTextTooLong(file, exactTextBytesMax));
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export const countSentences = {
  exactTextTooLong: (file: string, bytesMax: number) =>
    `${describeInput(file)} is too large for --exact: the maximum is ${formatCount(bytesMax)} bytes`,
  countedExactly: (file: string, maker: string) =>
    `${describeInput(file)} is a list of tools: ${maker} counts its definitions`,
  notUtf8: (file: string) =>
    `${describeInput(file)} is not valid UTF-8; invalid bytes are counted as U+FFFD`,
  countedAsDefinitions: (file: string, estimator: string, hasFormula: boolean) =>
    `${describeInput(file)} is a list of tools: its definitions are counted ${hasFormula ? "with the formula of" : "by"} ${estimator}, as in "mcp-meter profile"`,
  countedAsText: (file: string) =>
    `${describeInput(file)} is a list of tools, counted as plain text; add --model to count its definitions, as "mcp-meter profile" does`,
} as const;

const cutSearchBytesMin = 4 * 1024 * 1024;

// Cuts before lines that begin with an ASCII letter or digit: no token crosses such a cut.
export async function* splitText(
  chunks: AsyncIterable<Uint8Array>,
  searchBytesMin: number = cutSearchBytesMin,
): AsyncGenerator<Uint8Array> {
  let uncut: Uint8Array[] = [];
  let size = 0;
  let nextSearchBytes = searchBytesMin;
  for await (const chunk of chunks) {
    uncut.push(chunk);
    size += chunk.length;
    if (size < nextSearchBytes) continue;
    const text = Buffer.concat(uncut);
    const cut = findLastCut(text);
    if (cut > 0) yield text.subarray(0, cut);
    uncut = [text.subarray(cut)];
    size = text.length - cut;
    // Text without a line to cut at is searched again only when it has doubled.
    nextSearchBytes = Math.max(searchBytesMin, size * 2);
  }
  if (size > 0) yield Buffer.concat(uncut);
}

function findLastCut(text: Uint8Array): number {
  let end = text.length - 1;
  while (end > 0) {
    const at = text.subarray(0, end).lastIndexOf(newline);
    if (at < 0) return 0;
    if (isAlphanumeric(text[at + 1] ?? 0)) return at + 1;
    end = at;
  }
  return 0;
}

// The tools in a JSON-RPC message, in a bare result or in a bare list. Undefined for any other text.
export function parseToolList(text: string): readonly JsonObject[] | undefined {
  const start = text.trimStart()[0];
  if (start !== "{" && start !== "[") return undefined;
  if (!text.includes('"inputSchema"')) return undefined;
  // `trim` removes a byte order mark, which `JSON.parse` rejects.
  const value = tryParseJson(text.trim());
  // A value that is nested too deeply cannot be written as canonical JSON.
  if (exceedsBounds(value, Infinity)) return undefined;
  if (Array.isArray(value)) return value.length > 0 && value.every(isTool) ? value : undefined;
  const lists = [readArray(value, "tools"), readArray(value, "result", "tools")];
  // Under the name `tools`, one valid tool is enough: a server may also list invalid tools.
  return lists.find((list) => list.some(isTool))?.filter(isObject);
}

function isTool(value: unknown): boolean {
  return isObject(value) && typeof value["name"] === "string" && isObject(value["inputSchema"]);
}

function renderCount(
  format: DocumentFormat,
  result: CountResult,
  options: TerminalOptions,
): string {
  if (format === "table" && result.inputs.length === 1) return `${result.total}\n`;
  return render(
    format,
    { document: buildCountDocument(result), data: makeCountData(result) },
    options,
  );
}

function makeCountData({ inputs, total, estimation }: CountResult): object {
  const { id, method, encoding, confidence, error } = estimation;
  const estimatorFacts = { estimator: id, method, encoding, confidence };
  return { inputs, total, ...estimatorFacts, is_estimated: confidence !== "high", error };
}
