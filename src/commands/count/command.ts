import { isUtf8 } from "node:buffer";
import { exitCodes, sentences } from "#errors.ts";
import { resolveEstimator } from "#estimators/resolve.ts";
import type { Ending, Io } from "#io.ts";
import type { Estimator } from "#cost/estimator.ts";
import { renderCount } from "#renderers/count.ts";
import type { CountedInput } from "#renderers/documents/count.ts";
import { readChunks } from "#os/named-file.ts";
import { mayColor } from "#os/output.ts";
import { textParts } from "#os/text-parts.ts";
import { tokenizerFor } from "#storage/vocabulary.ts";
import { Teller } from "#text/teller.ts";
import type { CountOptions } from "./options.ts";

/** Counts the tokens of files or of stdin. */
export async function count(options: CountOptions, io: Io): Promise<Ending> {
  const { tokenizer, model, tokensMax, isJson, files } = options;
  const { estimator } = resolveEstimator({ tokenizer, model }, { tokenizer: tokenizerFor });
  const inputs: CountedInput[] = [];
  for (const file of files) inputs.push(await countInput(file, estimator));
  const { tell } = new Teller(io.stderr);
  for (const { file, is_utf8: isValid } of inputs) if (!isValid) tell(sentences.notUtf8(file));
  const total = inputs.reduce((sum, { tokens }) => sum + tokens, 0);
  const color = mayColor(io.stdout, io.env);
  const counted = { inputs, total, estimation: estimator };
  io.stdout.write(renderCount(isJson ? "json" : "table", counted, { color }));
  if (tokensMax === undefined || total <= tokensMax) return { code: exitCodes.ok };
  tell(sentences.overLimit(total, tokensMax));
  return { code: exitCodes.failed };
}

async function countInput(file: string, { parts }: Estimator): Promise<CountedInput> {
  let units = 0;
  let bytes = 0;
  let isValid = true;
  for await (const part of textParts(readChunks(file))) {
    units += parts.units(part);
    bytes += part.length;
    // Parts begin with ASCII, so a text is valid UTF-8 when each of them is.
    isValid &&= isUtf8(part);
  }
  return { file, tokens: parts.tokens(units), bytes, is_utf8: isValid };
}
