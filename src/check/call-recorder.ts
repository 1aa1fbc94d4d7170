import { openCallsMax, recordedCallCharactersMax } from "#limits.ts";
import { compactJson, isObject, memberAt, textAt, type JsonObject } from "#wire/json.ts";
import type { Id, Message, SingleMessage } from "#wire/message.ts";
import type { Side } from "#wire/side.ts";
import { areArgumentsExact } from "./exact-arguments.ts";
import { withoutVariables } from "./variables.ts";

/** A call of a session, as a calls file has it. */
export type RecordedCall = {
  readonly tool: string;
  /** Absent for a call without arguments. */
  readonly arguments?: JsonObject;
  /** Present when the tool returned an error. */
  readonly isError?: true;
};

/** Pairs the calls of a client with their answers. Holds no more than `openCallsMax` calls without one. */
export class CallRecorder {
  readonly #open = new Map<string, Pick<RecordedCall, "tool" | "arguments">>();
  #left = 0;
  #inexact = 0;

  /** Calls that are too long for a calls file. */
  get left(): number {
    return this.#left;
  }

  /** Calls with a number that reading it changes. */
  get inexact(): number {
    return this.#inexact;
  }

  /** The calls that this message answers. `text` gives its line. */
  take(from: Side, message: Message, text: () => string): readonly RecordedCall[] {
    const messages = message.kind === "batch" ? message.items : [message];
    return messages.flatMap((one, at) =>
      from === "client" ? this.#ask(one, () => areArgumentsExact(text(), at)) : this.#answer(one),
    );
  }

  #ask(message: SingleMessage, isExact: () => boolean): [] {
    if (message.kind !== "request" || message.method !== "tools/call") return [];
    const tool = textAt(message.params, "name");
    const args = memberAt(message.params, "arguments") ?? {};
    const isRecordable = tool !== undefined && isObject(args) && !isLong(tool, args);
    if (!isRecordable) {
      this.#left += 1;
      return [];
    }
    const isEmpty = Object.keys(args).length === 0;
    if (!isEmpty && !isExact()) {
      this.#inexact += 1;
      return [];
    }
    const [oldest] = this.#open.keys();
    if (this.#open.size >= openCallsMax && oldest !== undefined) this.#open.delete(oldest);
    this.#open.set(
      keyOf(message.id),
      isEmpty ? { tool } : { tool, arguments: withoutVariables(args) },
    );
    return [];
  }

  #answer(message: SingleMessage): RecordedCall[] {
    if (message.kind !== "result" && message.kind !== "error") return [];
    if (message.id === undefined) return [];
    const key = keyOf(message.id);
    const call = this.#open.get(key);
    if (!call) return [];
    this.#open.delete(key);
    // The client repeats the call with the missing input.
    if (message.kind === "result" && textAt(message.result, "resultType") === "input_required") {
      return [];
    }
    const isError = message.kind === "error" || memberAt(message.result, "isError") === true;
    return [isError ? { ...call, isError } : call];
  }
}

function isLong(tool: string, args: JsonObject): boolean {
  return tool.length + compactJson(args).length > recordedCallCharactersMax;
}

function keyOf({ value, raw }: Id): string {
  return `${typeof value} ${raw ?? value}`;
}
