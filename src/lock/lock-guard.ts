import { nameCharactersMax } from "#limits/lines.ts";
import { canonicalJson } from "#wire/canonical.ts";
import { isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import type { Lock } from "./lock.ts";

/** How a tool compares with the lock. */
export type LockVerdict =
  /** Its newest definition is the lock's, or no list was answered in this session and the lock has it. */
  | "same"
  /** Its newest definition differs from the lock's. */
  | "changed"
  /** The lock does not have it. */
  | "not locked"
  /** The lock has it, and no list of this session that could be read contained it; or its name is not known. */
  | "not seen";

/** The definitions of a tool in the newest list that contained it. */
type Seen = { readonly list: number; readonly hashes: string[] };

/**
 * Compares the tools of a session with a lock, page by page and without a limit of tools. It remembers only the
 * tools that the lock has.
 */
export class LockGuard {
  readonly #locked: ReadonlyMap<string, readonly string[]>;
  readonly #hash: (text: string) => string;
  readonly #seen = new Map<string, Seen>();
  #list = 0;
  #open = 0;

  /** `hash` is SHA-256 of a text, hexadecimal. */
  constructor({ tools }: Pick<Lock, "tools">, hash: (text: string) => string) {
    const grouped = Map.groupBy(tools, ({ name }) => name);
    this.#locked = new Map(
      [...grouped].map(([name, same]) => [name, same.map(({ sha256 }) => sha256).toSorted()]),
    );
    this.#hash = hash;
  }

  /** True while the client waits for a page of the list: it must be compared before it is delivered. */
  get isAwaited(): boolean {
    return this.#open > 0;
  }

  /** The client requests a page. */
  request(): void {
    this.#open += 1;
  }

  /** A request for a page is over. */
  settle(): void {
    this.#open -= 1;
  }

  /**
   * Takes the answer to a request with that cursor; one without a cursor begins a new list, unless it is a further
   * answer to the same request. After an answer that is not a list, nothing is known of any tool: the client may have
   * read it.
   */
  addPage(cursor: string | undefined, result: unknown, isFurther = false): void {
    const tools = memberAt(result, "tools");
    if (!Array.isArray(tools)) {
      this.forget();
      return;
    }
    if (this.#list === 0 || (cursor === undefined && !isFurther)) this.#list += 1;
    for (const tool of tools) if (isObject(tool)) this.#add(tool);
  }

  /** A line that may be a page could not be read. */
  forget(): void {
    this.#list += 1;
    this.#seen.clear();
  }

  /** The verdict on a tool; null for one whose name could not be read. */
  verdict(tool: string | null): LockVerdict {
    // A name that was cut may be another tool's.
    if (tool === null || tool.length >= nameCharactersMax) return "not seen";
    const locked = this.#locked.get(tool);
    if (!locked) return "not locked";
    const seen = this.#seen.get(tool);
    if (!seen) return this.#list === 0 ? "same" : "not seen";
    return seen.hashes.toSorted().join(" ") === locked.join(" ") ? "same" : "changed";
  }

  #add(tool: JsonObject): void {
    const name = textAt(tool, "name");
    const locked = name === undefined ? undefined : this.#locked.get(name);
    if (name === undefined || !locked) return;
    const known = this.#seen.get(name);
    const seen = known?.list === this.#list ? known : { list: this.#list, hashes: [] };
    this.#seen.set(name, seen);
    // One definition too many is a change, however many follow.
    if (seen.hashes.length <= locked.length) seen.hashes.push(this.#hash(canonicalJson(tool)));
  }
}
