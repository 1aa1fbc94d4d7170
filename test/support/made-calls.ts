import { type Origin, Call } from "#meter/calls/call.ts";
import { describeRequest } from "#tokens/cost/describe-calls.ts";

type Told = Partial<Origin> & {
  readonly id?: number | string;
  readonly method?: string;
  readonly truncated?: boolean;
};

export function callOf(params?: unknown, changes: Told = {}): Call {
  const { id = 1, method = "tools/call", truncated = false, ...origin } = changes;
  const request = { id: { value: id }, method, params, truncated };
  const from = { from: "client", size: 10, atMs: 0, ...origin } as const;
  return new Call(request, describeRequest(method, params), from);
}
