// A longer text is judged by its ends.
export const jsonJudgedCharactersMax = 256 * 1024;

/** JSON costs some models more than prose. A text too long to parse is judged by its first and last character. */
export function isJsonText(text: string): boolean {
  const start = text.trimStart()[0];
  if (start !== "{" && start !== "[") return false;
  if (text.length > jsonJudgedCharactersMax) {
    const last = text.slice(-jsonJudgedCharactersMax).trimEnd().at(-1);
    return last === (start === "{" ? "}" : "]");
  }
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
