import { clientExamples, findKnownProfile } from "#tokens/cost/client-profiles/recognize-client.ts";
import { findModel, isNewerThanKnown, modelExamples } from "#tokens/cost/models.ts";
import { findNearestName } from "#kit/text/match-names.ts";
import type { RawOptions } from "./command.ts";
import { createReaderChooser } from "./reader-chooser.ts";
import { parseReaderOptions, type ReaderOptions } from "./reader-options.ts";
import { commandSentences } from "./sentences.ts";

const namePrefixMin = 3;

export function describeUnknownModelOrClient(raw: RawOptions): readonly string[] {
  const options = parseReaderOptions(raw);
  const { model, client } = options;
  const sentences = model === undefined ? [] : describeUnknownModel(model, options);
  if (client === undefined || findKnownProfile(client)) return sentences;
  return [
    ...sentences,
    commandSentences.clientUnknown(client, findNearest(client, clientExamples)),
  ];
}

function describeUnknownModel(model: string, options: ReaderOptions): readonly string[] {
  const isUnknown = !findModel(model);
  if (!isUnknown && !isNewerThanKnown(model)) return [];
  const describe = isUnknown ? commandSentences.modelUnknown : commandSentences.modelNewer;
  const { estimator, windowTokens } = createReaderChooser(options)(undefined);
  return [describe(model, windowTokens, estimator.id, findNearest(model, modelExamples))];
}

// If no name is similar, takes one that begins with `rawName`, so that "claude" finds "claude-code".
function findNearest(rawName: string, examples: readonly string[]): string | undefined {
  const name = rawName.toLowerCase();
  const isLongEnough = name.length >= namePrefixMin;
  return (
    findNearestName(name, examples) ??
    (isLongEnough ? examples.find((example) => example.startsWith(name)) : undefined)
  );
}
