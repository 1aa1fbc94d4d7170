export const bombs: Readonly<Record<string, (bytes: number) => string>> = {
  "one letter": (bytes) => "a".repeat(bytes),
  "one symbol": (bytes) => "=".repeat(bytes),
  spaces: (bytes) => `${" ".repeat(bytes)}x`,
  "spaces behind the only newline": (bytes) => `\n${" ".repeat(bytes)}x`,
  newlines: (bytes) => "\r\n".repeat(bytes / 2),
  slashes: (bytes) => `!\n${"/".repeat(bytes)}`,
  digits: (bytes) => "7".repeat(bytes),
  Hangul: (bytes) => scatter(bytes / 3, 0xac00, 11_172),
  emoji: (bytes) => scatter(bytes / 4, 0x1f600, 80),
  "combining marks": (bytes) => "\u0301".repeat(bytes / 2),
  letters: (bytes) => scatter(bytes, 0x61, 26),
  "capitals behind a letter without case": (bytes) => `ª${"A".repeat(bytes)}`,
  mixed: (bytes) => 'the quick "fox": 12345, 中文\n    한글 '.repeat(bytes / 42),
};

function scatter(length: number, first: number, range: number): string {
  let state = 9;
  return Array.from({ length: Math.floor(length) }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return String.fromCodePoint(first + ((state >>> 8) % range));
  }).join("");
}
