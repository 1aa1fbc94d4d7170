export function documentRows(
  markdown: string,
  after: string,
): readonly (readonly [name: string, meaning: string])[] {
  const [, rest] = markdown.split(after, 2);
  const [table] = /^\|.*\n\| -.*\n(?:\|.*\n)+/m.exec(rest ?? "") ?? [];
  if (table === undefined) throw new Error(`There is no table behind "${after}"`);
  const rows = table.trimEnd().split("\n").slice(2);
  return rows.map((row) => {
    const [, name = "", meaning = ""] = row.split("|").map((cell) => plainText(cell.trim()));
    return [name, meaning];
  });
}

function plainText(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[`*]/g, "");
}
