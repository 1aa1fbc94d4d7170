/** A text as one word of a POSIX shell, and of zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A text as one word of fish. */
export function quotedForFish(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
}
