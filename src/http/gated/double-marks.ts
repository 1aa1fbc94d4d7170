/** The byte order mark of a stream. */
const mark = Uint8Array.of(0xef, 0xbb, 0xbf);

/** The same mark, encoded as UTF-8 a second time. */
const doubleMark = Uint8Array.of(0xc3, 0xaf, 0xc2, 0xbb, 0xc2, 0xbf);

/**
 * The chunks of a stream of events without marks that were encoded twice: at its beginning, `eventsource-parser` of the SDK
 * clients skips one, and other clients read a field with another name. Without it, all read the same events.
 */
export async function* withoutDoubleMarks(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let head: Uint8Array | undefined = new Uint8Array();
  for await (const chunk of chunks) {
    if (!head) {
      yield chunk;
      continue;
    }
    head = unmarked(Buffer.concat([head, chunk]));
    if (mayBeginMark(head)) continue;
    yield head;
    head = undefined;
  }
  if (head && head.length > 0) yield head;
}

function unmarked(head: Uint8Array): Uint8Array {
  let [rest, hasMark] = [head, false];
  for (;;) {
    if (begins(rest, doubleMark)) rest = rest.subarray(doubleMark.length);
    else if (!hasMark && begins(rest, mark)) [rest, hasMark] = [rest.subarray(mark.length), true];
    else return hasMark ? Buffer.concat([mark, rest]) : rest;
  }
}

/** True when more bytes may show a mark that is encoded twice, behind one that is not. */
function mayBeginMark(head: Uint8Array): boolean {
  const rest = begins(head, mark) ? head.subarray(mark.length) : head;
  return begins(doubleMark, rest) || begins(mark, head);
}

function begins(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.length <= bytes.length && start.every((byte, at) => byte === bytes[at]);
}
