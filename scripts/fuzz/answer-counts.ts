import { linesOf, type Reading, readMessages } from "./reading.ts";
import type { Transcript } from "./transcript.ts";

/** How often each id was requested by the client, answered by the server, and answered at the client. */
export class AnswerCounts {
  readonly #requested: ReadonlyMap<string, number>;
  readonly #answered: ReadonlyMap<string, number>;
  readonly #delivered: ReadonlyMap<string, number>;
  readonly #mayHold: boolean;

  constructor({ clientSent, serverSent, clientGot, set }: Transcript) {
    this.#requested = countIds(clientSent, isRequest);
    this.#answered = countIds(serverSent, isAnswer);
    this.#delivered = countIds(clientGot, isAnswer);
    this.#mayHold = set.name === "throttle";
  }

  /**
   * True for an answer whose request was not open when it came: no request has its id, each that has was answered at the
   * client, the server answered more often than it was asked, or the request may have been held meanwhile.
   */
  isUnasked(message: Reading): boolean {
    if (!isAnswer(message)) return false;
    const id = keyOf(message);
    const requested = this.#requested.get(id) ?? 0;
    const isDone = (this.#delivered.get(id) ?? 0) >= requested;
    return isDone || (this.#answered.get(id) ?? 0) > requested || this.#mayHold;
  }
}

function isRequest({ kind }: Reading): boolean {
  return kind === "request";
}

function isAnswer({ kind, id }: Reading): boolean {
  return kind === "answer" && id !== undefined;
}

function countIds(
  bytes: Uint8Array,
  isCounted: (message: Reading) => boolean,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of linesOf(bytes)) {
    for (const message of readMessages(line).filter(isCounted)) {
      counts.set(keyOf(message), (counts.get(keyOf(message)) ?? 0) + 1);
    }
  }
  return counts;
}

/** SDK clients compare ids as numbers. */
function keyOf({ id }: Reading): string {
  const number = Number(id);
  return Number.isNaN(number) ? String(id) : String(number);
}
