import { createReaderChooser } from "#commands/reader-chooser.ts";
import type { EstimatorId } from "#tokens/estimators/ids.ts";
import { get_encoding } from "tiktoken";
import type { MeterOptions } from "#meter/session/event.ts";
import { type Message, request } from "./rpc.ts";

const oracle = get_encoding("o200k_base");

export const o200kTokens = (text: string): number => oracle.encode_ordinary(text).length;

/** The reader of a session without `--model`, `--as-client` and `--window`. */
export function goldenReader(tokenizer: EstimatorId | "auto"): MeterOptions["readerFor"] {
  return createReaderChooser({
    tokenizer,
    model: undefined,
    client: undefined,
    windowTokens: undefined,
  });
}

export type SpokenEra = {
  readonly era: "legacy" | "modern";
  readonly begin: (client: string) => { readonly asked: Message; readonly answered: Message };
  readonly ask: (id: number, method: string, params?: object) => Message;
  readonly answer: (id: number, result: object) => Message;
};

const answer = (id: number, result: object): Message => ({ jsonrpc: "2.0", id, result });
const serverInfo = { name: "garden", version: "1" };
const prefix = "io.modelcontextprotocol";

const legacy: SpokenEra = {
  era: "legacy",
  begin: (name) => ({
    asked: request(0, "initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name, version: "1" },
    }),
    answered: answer(0, { protocolVersion: "2025-11-25", capabilities: {}, serverInfo }),
  }),
  ask: request,
  answer,
};

function modernAs(name: string | undefined): SpokenEra["ask"] {
  const clientInfo = name === undefined ? {} : { [`${prefix}/clientInfo`]: { name, version: "1" } };
  const meta = { [`${prefix}/protocolVersion`]: "2026-07-28", ...clientInfo };
  return (id, method, params = {}) => request(id, method, { ...params, _meta: meta });
}

const modern: SpokenEra = {
  era: "modern",
  begin: (name) => ({
    asked: modernAs(name)(0, "server/discover"),
    answered: answer(0, {
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: {},
      _meta: { [`${prefix}/serverInfo`]: serverInfo },
    }),
  }),
  ask: modernAs(undefined),
  answer: (id, result) => answer(id, { resultType: "complete", ...result }),
};

export const askAs = (name: string): SpokenEra["ask"] => modernAs(name);

export const spokenEras: readonly SpokenEra[] = [legacy, modern];
