/** In the layout of `writeLock`; prompts have the same depth. */
const listBegin = '  "tools": [';
const listEnd = /^ {2}\],?$/;

const entry = /^ {4}\{$/;
const nameMember = /^ {6}"name": (".*"),?$/;

/** From 1; empty for a lock in another layout. */
export function findToolLines(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  let begun = 0;
  let isInList = false;
  for (const [at, line] of text.split("\n").entries()) {
    if (line === listBegin) isInList = true;
    else if (listEnd.test(line)) isInList = false;
    if (!isInList) continue;
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
