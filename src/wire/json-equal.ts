/**
 * A value is never written in fewer characters than this fraction of its compact form: `1e20` stands for 21
 * digits. Shorter texts are not parsed, so that many small blocks next to one large value cost linear time.
 */
const shortening = 8;

/** True when `text` is JSON of `value`, in any order of members and white space; `compact` is its compact JSON. */
export function isJsonEqual(text: string, value: unknown, compact: string): boolean {
  if (text === compact) return true;
  if (text.length * shortening < compact.length || !mayBeEqual(text, compact)) return false;
  try {
    return isEqual(JSON.parse(text), value);
  } catch {
    return false;
  }
}

/** False when the first character that is not white space begins another kind of value. */
function mayBeEqual(text: string, compact: string): boolean {
  let index = 0;
  while (index < text.length && " \t\r\n".includes(text.charAt(index))) index += 1;
  const [first, expected] = [text.charAt(index), compact.charAt(0)];
  return first === expected || (isNumberStart(first) && isNumberStart(expected));
}

function isNumberStart(letter: string): boolean {
  return letter === "-" || (letter >= "0" && letter <= "9");
}

/** Deep equality of two JSON values, without recursion: the server chooses the nesting. */
export function isEqual(left: unknown, right: unknown): boolean {
  const pairs: [unknown, unknown][] = [[left, right]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [one, other] = pair;
    if (one === other) continue;
    if (!isContainer(one) || !isContainer(other)) return false;
    if (Array.isArray(one) !== Array.isArray(other)) return false;
    const keys = Object.keys(one);
    if (keys.length !== Object.keys(other).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(other, key)) return false;
      pairs.push([one[key], other[key]]);
    }
  }
  return true;
}

function isContainer(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null;
}
