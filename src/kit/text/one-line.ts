export type Clean = (text: string) => string;

export const cleanNothing: Clean = (text) => text;

/** Cleans again at last, because a secret may be broken over two lines. */
export function inOneLine(text: string, clean: Clean = cleanNothing): string {
  return clean(clean(text).replaceAll(/\s+/g, " ")).trim();
}
