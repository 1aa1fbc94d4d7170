import type { Call } from "#calls/call.ts";
import type { Closing } from "#calls/outcome.ts";
import type { ToolList } from "#cost/tool-list.ts";
import type { RecordBody } from "#records/record.ts";

export type Entry =
  | { readonly kind: "call"; readonly call: Call; readonly closing: Closing }
  | {
      readonly kind: "definitions";
      readonly list: Pick<ToolList, "tools" | "total" | "isComplete" | "state"> & {
        readonly viewTools: ToolList["tools"];
      };
      readonly instructions: string | undefined;
    }
  | { readonly kind: "body"; readonly body: RecordBody };

/** An entry whose record is being counted, without the texts of the wire. */
export type Cause =
  | {
      readonly kind: "call";
      readonly call: Call;
      /** False when the error says that the server did not run the call. */
      readonly didRun: boolean;
    }
  | { readonly kind: "definitions" }
  | { readonly kind: "body" };
