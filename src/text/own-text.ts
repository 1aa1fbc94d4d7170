/**
 * The same text in memory of its own. A slice shares the memory of the text that it was cut from, and keeps all of it there
 * for as long as the slice is remembered.
 */
export function ownText(text: string): string {
  const copy: unknown = JSON.parse(JSON.stringify(text));
  return typeof copy === "string" ? copy : text;
}
