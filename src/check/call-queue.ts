type Place<Call> = {
  readonly key: string;
  call: Call | undefined;
  isOpen: boolean;
};

export class CallQueue<Call> {
  readonly #openMax: number;
  readonly #heldMax: number;
  readonly #open = new Map<string, Place<Call>>();
  readonly #places = new Set<Place<Call>>();
  #held = 0;

  constructor({ openMax, heldMax }: { readonly openMax: number; readonly heldMax: number }) {
    this.#openMax = openMax;
    this.#heldMax = heldMax;
  }

  open(key: string, call: Call): Call[] {
    const earlier = this.#open.get(key);
    if (earlier) this.#forget(earlier);
    const [oldest] = this.#open.values();
    if (this.#open.size >= this.#openMax && oldest) this.#forget(oldest);
    const place = { key, call, isOpen: true };
    this.#open.set(key, place);
    this.#places.add(place);
    return this.#due();
  }

  close(key: string, closed: (call: Call) => Call | undefined): Call[] {
    const place = this.#open.get(key);
    if (place?.call === undefined) return [];
    this.#open.delete(key);
    place.isOpen = false;
    place.call = closed(place.call);
    if (!this.#places.has(place)) return place.call === undefined ? [] : [place.call];
    this.#held += 1;
    const due = this.#due();
    if (this.#held <= this.#heldMax) return due;
    const [first] = this.#places;
    return [...due, ...(first ? this.pass(first.key) : [])];
  }

  pass(key: string): Call[] {
    const place = this.#open.get(key);
    if (place) this.#places.delete(place);
    return this.#due();
  }

  finish(): Call[] {
    for (const place of this.#open.values()) this.#places.delete(place);
    return this.#due();
  }

  #forget(place: Place<Call>): void {
    this.#open.delete(place.key);
    this.#places.delete(place);
  }

  #due(): Call[] {
    const due: Call[] = [];
    for (const place of this.#places) {
      if (place.isOpen) break;
      this.#places.delete(place);
      this.#held -= 1;
      if (place.call !== undefined) due.push(place.call);
    }
    return due;
  }
}
