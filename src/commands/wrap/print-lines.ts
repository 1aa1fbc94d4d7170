import type { ConfiguredEntry } from "#clients/entries-in.ts";
import { clients } from "#clients/index.ts";
import { wordsBeforeServer } from "#clients/meter-word.ts";
import type { Io } from "#io.ts";
import { privateReportMode, writeReportFile } from "#storage/report-file.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";
import { memberAt } from "#wire/json.ts";
import { pasteLines } from "#wrapping/paste-lines.ts";
import { refusalReasons, wrapTexts } from "#wrap-sentences.ts";
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
    servers.flatMap(({ entry, refusal }) => {
      const { form, words, rawName } = entry;
      if (form === undefined || wordsBeforeServer(words) !== undefined) return [];
      if (!isWhole(entry)) {
        const reason = refusalReasons[refusal ?? "text"];
        return [escapeUnsafe(wrapTexts.unprintable(rawName, target.file, reason))];
      }
      const all = [...task.frontFor(rawName), ...words.map(String)];
      const lines = pasteLines(clients[target.client].form, form, all);
      return [[wrapTexts.paste(rawName, target.file), ...lines].map(escapeUnsafe).join("\n")];
    }),
  );
  const text = blocks.map((block) => `${block}\n`).join("\n");
  if (output === undefined) stdout.write(text);
  else writeReportFile(output, text, privateReportMode);
}

/** True when the words are all that the entry has: others would be lost by hand. */
function isWhole({ form, words, entry }: ConfiguredEntry): boolean {
  const args = form === "path" ? memberAt(entry, "command", "args") : entry["args"];
  const isListed = form === "list" || (args ?? null) === null || Array.isArray(args);
  return isListed && words.every((word) => typeof word === "string");
}
