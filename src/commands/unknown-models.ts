import { clientExamples, findKnownProfile } from "#tokens/cost/client-profiles/recognize-client.ts";
import { findModel, isNewerThanKnown, modelExamples } from "#tokens/cost/models.ts";
import { findNearestName } from "#kit/text/match-names.ts";
import type { RawOptions } from "./command.ts";
import { createReaderChooser } from "./reader-chooser.ts";
import { parseReaderOptions } from "./reader-options.ts";
import { commandSentences } from "./sentences.ts";

const namePrefixMin = 3;

export function describeUnknownModelOrClient(raw: RawOptions): readonly string[] {
  const options = parseReaderOptions(raw);
  const { model, client } = options;
  const sentences: string[] = [];
  if (model !== undefined && !findModel(model)) {
    const { estimator, windowTokens } = createReaderChooser(options)(undefined);
    const nearest = findNearest(model, modelExamples);
    sentences.push(commandSentences.modelUnknown(model, windowTokens, estimator.id, nearest));
  }
  if (model !== undefined && isNewerThanKnown(model)) {
    const { estimator, windowTokens } = createReaderChooser(options)(undefined);
    const nearest = findNearest(model, modelExamples);
    sentences.push(commandSentences.modelNewer(model, windowTokens, estimator.id, nearest));
  }
  if (client !== undefined && !findKnownProfile(client)) {
    sentences.push(commandSentences.clientUnknown(client, findNearest(client, clientExamples)));
  }
  return sentences;
}

// Without a similar name, finds one that begins with this one: a maker's name finds its client.
function findNearest(rawName: string, examples: readonly string[]): string | undefined {
  const name = rawName.toLowerCase();
  const isLongEnough = name.length >= namePrefixMin;
  return (
    findNearestName(name, examples) ??
    (isLongEnough ? examples.find((example) => example.startsWith(name)) : undefined)
  );
}
