export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function quotedForFish(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
}
