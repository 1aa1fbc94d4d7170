/**
 * The same value is never written in fewer characters than this part of its compact form: `1e20` for 21
 * digits. Texts shorter than that are not parsed, which keeps many small blocks beside one large value linear.
 */
const shortening = 8;

/** True when `text` is JSON of the same value, whatever its order of members and white space. */
export function isJsonEqual(text: string, value: unknown, compact: string): boolean {
  if (text === compact) return true;
  if (text.length * shortening < compact.length || !beginsLike(text, compact)) return false;
  try {
    return isEqual(JSON.parse(text), value);
  } catch {
    return false;
  }
}

/** Whether the first character that is no white space could begin the same kind of value. */
function beginsLike(text: string, compact: string): boolean {
  let index = 0;
  while (index < text.length && " \t\r\n".includes(text.charAt(index))) index += 1;
  const [first, wanted] = [text.charAt(index), compact.charAt(0)];
  return first === wanted || (isNumberStart(first) && isNumberStart(wanted));
}

function isNumberStart(letter: string): boolean {
  return letter === "-" || (letter >= "0" && letter <= "9");
}

/** Deep equality of two JSON values, without recursion: nesting is the server's choice. */
function isEqual(left: unknown, right: unknown): boolean {
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
