/** A tool's entry begins with a brace, and has its name, at these depths of the layout that `writeLock` writes. */
const entry = /^ {4}\{$/;
const nameMember = /^ {6}"name": (".*"),?$/;

/** The line of each tool's entry in the text of a lock, from 1. A lock in any other layout has none. */
export function findToolLines(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  let begun = 0;
  for (const [at, line] of text.split("\n").entries()) {
    if (entry.test(line)) begun = at + 1;
    const name = nameMember.exec(line)?.[1];
    if (name === undefined || begun === 0) continue;
    const parsed = parseName(name);
    if (parsed !== undefined && !lines.has(parsed)) lines.set(parsed, begun);
  }
  return lines;
}

function parseName(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
