import { UserError } from "#kit/errors.ts";
import { documentFormats, type DocumentFormat } from "#screens/renderers/formats.ts";
import type { Retention } from "#state/storage/prune/choose-files.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { type Output, outputOptionSpecs, parseOutput } from "../output/output-options.ts";
import { retentionOption } from "../retention-options.ts";
import { flagOption } from "../values.ts";
import { commandSentences } from "../sentences.ts";

export const pruneOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Files",
    options: {
      "older-than": {
        value: "AGE",
        describe: "remove files that changed longer ago, such as 90d, 4w or 24h",
        isFlagOnly: true,
      },
      "keep-bytes": {
        value: "SIZE",
        describe: "remove the oldest files until the others have at most this size, such as 500M",
        isFlagOnly: true,
      },
      yes: { describe: "remove the files; without it they are only listed", isFlagOnly: true },
      automatic: {
        describe:
          "as after a session: remove a bounded number of files, and none where all are old, for then the clock may be wrong",
        isFlagOnly: true,
      },
    },
  },
  { heading: "Output", options: outputOptionSpecs(documentFormats) },
];

export type PruneOptions = Output<DocumentFormat> & {
  readonly retention: Retention;
  readonly isConfirmed: boolean;
  readonly isAutomatic: boolean;
};

export function parsePruneOptions({ options, operands, child = [] }: Arguments): PruneOptions {
  const [first] = [...operands, ...child];
  if (first !== undefined) throw new UserError(commandSentences.argumentUnexpected(first));
  const retention = retentionOption(options, { age: "older-than", size: "keep-bytes" });
  if (retention.olderThanMs === undefined && retention.keepBytes === undefined) {
    throw new UserError(pruneSentences.pruneWithoutRule());
  }
  return {
    retention,
    isConfirmed: flagOption(options, "yes"),
    isAutomatic: flagOption(options, "automatic"),
    ...parseOutput(options, documentFormats),
  };
}

const pruneSentences = {
  pruneWithoutRule: () =>
    `missing rule; name --older-than AGE or --keep-bytes SIZE, as in "mcp-meter prune --older-than 90d"`,
} as const;
