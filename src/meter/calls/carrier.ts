import { errorLine, notificationLine, resultLine } from "#wire/reply.ts";
import type { JsonObject } from "#wire/json.ts";

export type Carrier = {
  result(rawId: string, result: unknown): Uint8Array;
  error(rawId: string, error: unknown): Uint8Array;
};

export const asItIs: Carrier = { result: resultLine, error: errorLine };

export function inState(state: JsonObject): Carrier {
  return {
    result: (rawId, result) => resultLine(rawId, completed(state, result)),
    error: (rawId, error) => errorLine(rawId, error),
  };
}

export function inNotification(method: string, state: JsonObject): Carrier {
  return {
    result: (_, result) => notificationLine(method, completed(state, result)),
    error: (_, error) => notificationLine(method, failed(state, error)),
  };
}

function completed(state: JsonObject, result: unknown): unknown {
  return { ...state, status: "completed", error: undefined, result };
}

function failed(state: JsonObject, error: unknown): unknown {
  return { ...state, status: "failed", result: undefined, error };
}
