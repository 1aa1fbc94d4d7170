import { heldRequestBytesMax, requestBytesMax, shortRequestBytesMax } from "#limits/http.ts";

/** The room of one request, which grows with its body. */
export type BodyShare = {
  /** Takes room for that many bytes in all; false when there is too little left. */
  readonly grow: (bytes: number) => boolean;
  /** Gives all of it back. */
  readonly end: () => void;
};

/** The memory that the long bodies of all open requests may take together; short ones need no room. */
export class BodyRoom {
  #taken = 0;

  share(): BodyShare {
    let own = 0;
    return {
      grow: (bytes) => {
        const more = Math.max(0, neededRoom(bytes) - own);
        if (this.#taken + more > heldRequestBytesMax) return false;
        this.#taken += more;
        own += more;
        return true;
      },
      end: () => {
        this.#taken -= own;
        own = 0;
      },
    };
  }
}

function neededRoom(bytes: number): number {
  return bytes > shortRequestBytesMax ? bytes : 0;
}

/** The bytes that the body of a request will have, where its headers say it: a request that does not fit is refused before it is sent. */
export function announcedBytes(headers: Headers): number {
  return Math.min(Number(headers.get("content-length")) || 0, requestBytesMax);
}
