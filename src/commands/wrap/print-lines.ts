import { clients } from "#clients/index.ts";
import { wordsBeforeServer } from "#clients/meter-word.ts";
import type { Io } from "#io.ts";
import { writeReportFile } from "#storage/report-file.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";
import { pasteLines } from "#wrapping/paste-lines.ts";
import { wrapTexts } from "#wrap-sentences.ts";
import type { Selection } from "./options.ts";
import type { FilePlan, Task } from "./plan-file.ts";

/** Prints the lines by which each server is put behind mcp-meter, for a person who writes them. */
export function printLines(
  plans: readonly FilePlan[],
  task: Task,
  { output }: Pick<Selection, "output">,
  { stdout }: Pick<Io, "stdout">,
): void {
  const blocks = plans.flatMap(({ target, servers }) =>
    servers.flatMap(({ entry: { form, words, rawName } }) => {
      if (form === undefined || wordsBeforeServer(words) !== undefined) return [];
      const texts = words.filter((word) => typeof word === "string");
      const all = [...task.frontFor(rawName), ...texts];
      const lines = pasteLines(clients[target.client].form, form, all);
      return [[wrapTexts.paste(rawName, target.file), ...lines].map(escapeUnsafe).join("\n")];
    }),
  );
  const text = blocks.map((block) => `${block}\n`).join("\n");
  if (output === undefined) stdout.write(text);
  else writeReportFile(output, text);
}
