import { rememberedTextCharactersMax } from "../limits.ts";

// For each of two generations.
export const rememberedCharactersMax = 256 * 1024;

export const rememberedTextsMax = 1_000;

// Tool names come with every call, and many answers are alike; a lookup takes a thirtieth of the time of a count.
// Recent texts survive: when the new generation is full, it becomes the old one, and the old one is dropped.
export function memoizeCount(count: (text: string) => number): (text: string) => number {
  let newer = new Map<string, number>();
  let older = new Map<string, number>();
  let characters = 0;
  const remember = (text: string, tokens: number): void => {
    if (newer.size >= rememberedTextsMax || characters + text.length > rememberedCharactersMax) {
      older = newer;
      newer = new Map();
      characters = 0;
    }
    newer.set(text, tokens);
    characters += text.length;
  };
  return (text) => {
    if (text === "") return 0;
    if (text.length > rememberedTextCharactersMax) return count(text);
    const known = newer.get(text);
    if (known !== undefined) return known;
    const tokens = older.get(text) ?? count(text);
    remember(text, tokens);
    return tokens;
  };
}
