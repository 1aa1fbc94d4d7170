import type { Call } from "../calls/call.ts";
import type { Closing } from "../calls/outcome.ts";
import type { ListedDefinitions } from "#tokens/cost/definitions.ts";
import type { ListState } from "#tokens/cost/tool-list.ts";
import type { RecordBody } from "#records/record.ts";
import type { JsonObject } from "#wire/json.ts";

export type Entry =
  | { readonly kind: "call"; readonly call: Call; readonly closing: Closing }
  | {
      readonly kind: "definitions";
      readonly list: ListedDefinitions & {
        readonly state: ListState;
        readonly viewTools: readonly JsonObject[];
      };
      readonly instructions: string | undefined;
    }
  | { readonly kind: "body"; readonly body: RecordBody };

/** An entry whose record is being counted, without the texts of the wire. */
export type Cause =
  | {
      readonly kind: "call";
      readonly call: Call;
      readonly didRun: boolean;
    }
  | { readonly kind: "definitions" }
  | { readonly kind: "body" };
