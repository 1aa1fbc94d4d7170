import { clientExamples, findKnownProfile } from "#tokens/cost/clients/index.ts";
import { findModel, modelExamples } from "#tokens/cost/models.ts";
import { nearestName } from "#kit/text/match-names.ts";
import type { RawOptions } from "./command.ts";
import { readerFor } from "./reader.ts";
import { parseReaderOptions } from "./reader-options.ts";
import { commandSentences } from "./sentences.ts";

// Shorter beginnings fit most names.
const nameBeginningMin = 3;

export function describeUnknownReader(raw: RawOptions): readonly string[] {
  const options = parseReaderOptions(raw);
  const { model } = options;
  // There it selects settings of a client, and not a reader.
  const client = raw["configured"] === undefined ? options.client : undefined;
  const found: string[] = [];
  if (model !== undefined && !findModel(model)) {
    const { estimator, windowTokens } = readerFor(options)(undefined);
    const nearest = findNearest(model, modelExamples);
    found.push(commandSentences.modelUnknown(model, windowTokens, estimator.id, nearest));
  }
  if (client !== undefined && !findKnownProfile(client)) {
    found.push(commandSentences.clientUnknown(client, findNearest(client, clientExamples)));
  }
  return found;
}

/** Else one with the same first letters: a maker's name stands for its client. */
function findNearest(rawName: string, examples: readonly string[]): string | undefined {
  const name = rawName.toLowerCase();
  const isBeginning = name.length >= nameBeginningMin;
  return (
    nearestName(name, examples) ??
    (isBeginning ? examples.find((example) => example.startsWith(name)) : undefined)
  );
}
