import { clientExamples, findKnownProfile } from "#tokens/cost/clients/index.ts";
import { findModel, modelExamples } from "#tokens/cost/models.ts";
import { findNearestName } from "#kit/text/match-names.ts";
import type { RawOptions } from "./command.ts";
import { createReaderChooser } from "./reader.ts";
import { parseReaderOptions } from "./reader-options.ts";
import { commandSentences } from "./sentences.ts";

const namePrefixMin = 3;

export function describeUnknownReader(raw: RawOptions): readonly string[] {
  const options = parseReaderOptions(raw);
  const { model } = options;
  // With --configured, it selects the settings of a client, not a reader.
  const client = raw["configured"] === undefined ? options.client : undefined;
  const found: string[] = [];
  if (model !== undefined && !findModel(model)) {
    const { estimator, windowTokens } = createReaderChooser(options)(undefined);
    const nearest = findNearest(model, modelExamples);
    found.push(commandSentences.modelUnknown(model, windowTokens, estimator.id, nearest));
  }
  if (client !== undefined && !findKnownProfile(client)) {
    found.push(commandSentences.clientUnknown(client, findNearest(client, clientExamples)));
  }
  return found;
}

// Otherwise a name with this prefix: a maker's name stands for its client.
function findNearest(rawName: string, examples: readonly string[]): string | undefined {
  const name = rawName.toLowerCase();
  const isPrefix = name.length >= namePrefixMin;
  return (
    findNearestName(name, examples) ??
    (isPrefix ? examples.find((example) => example.startsWith(name)) : undefined)
  );
}
