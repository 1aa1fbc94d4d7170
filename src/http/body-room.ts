import { heldRequestBytesMax, requestBytesMax, shortRequestBytesMax } from "#limits/http.ts";

/** The memory that the long bodies of all open requests may take together; short ones need no room. */
export class BodyRoom {
  #taken = 0;

  /** Takes the room of a request; false when there is too little left. */
  take(bytes: number): boolean {
    const room = neededRoom(bytes);
    if (this.#taken + room > heldRequestBytesMax) return false;
    this.#taken += room;
    return true;
  }

  /** Gives it back. */
  give(bytes: number): void {
    this.#taken -= neededRoom(bytes);
  }
}

function neededRoom(bytes: number): number {
  return bytes > shortRequestBytesMax ? bytes : 0;
}

/** The bytes that the body of a request may have, by its headers; one that does not say it may have as many as any. */
export function expectedBytes(headers: Headers): number {
  const length = headers.get("content-length");
  if (length === null) return headers.has("transfer-encoding") ? requestBytesMax : 0;
  return Math.min(Number(length) || 0, requestBytesMax);
}
