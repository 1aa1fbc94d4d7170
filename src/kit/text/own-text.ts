/** A copy. A slice shares the memory of the text that it was cut from, and keeps all of it alive. */
export function ownText(text: string): string {
  const copy: unknown = JSON.parse(JSON.stringify(text));
  return typeof copy === "string" ? copy : text;
}
