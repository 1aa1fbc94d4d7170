/** Removes texts that must not be shown, before a text is shortened. */
export type Clean = (text: string) => string;

/** Shows every text. */
export const cleanNothing: Clean = (text) => text;

/** A text in one line, cleaned: again at last, because a value may be broken over two lines. */
export function inOneLine(text: string, clean: Clean = cleanNothing): string {
  return clean(clean(text).replaceAll(/\s+/g, " ")).trim();
}
