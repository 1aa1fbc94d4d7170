/** The document with the figures of one load replaced; throws when it has no marked section for it. */
export function replaceFigures(document: string, load: string, figures: string): string {
  const opening = `<!-- figures: ${load} -->`;
  const closing = `<!-- end: ${load} -->`;
  const start = document.indexOf(opening);
  const end = document.indexOf(closing);
  if (start < 0 || end < start) {
    throw new Error(`Cannot write the figures of "${load}": the document has no "${opening}"`);
  }
  const before = document.slice(0, start + opening.length);
  return `${before}\n\n${figures}\n\n${document.slice(end)}`;
}
