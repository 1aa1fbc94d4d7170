// The limit of GitHub for one step.
export const stepSummaryBytesMax = 1024 * 1024;

export const stepSummaryNoteBytesMax = 200;

/** `takenBytes` are in the summary already. Cut after a whole line, with a note; empty when not even the note fits. */
export function fitStepSummary(markdown: string, takenBytes: number): string {
  const room = stepSummaryBytesMax - 1 - takenBytes;
  const encoder = new TextEncoder();
  if (encoder.encode(markdown).length <= room) return markdown;
  if (room < stepSummaryNoteBytesMax) return "";
  const lines = markdown.split("\n");
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    bytes += encoder.encode(line).length + 1;
    if (bytes > room - stepSummaryNoteBytesMax) break;
    kept.push(line);
  }
  const omitted = lines.length - kept.length;
  const note = `_Cut here: ${omitted} more lines exceed the 1 MiB of a step summary; see the log or use --format json._`;
  return `${[...kept, "", note].join("\n")}\n`;
}
