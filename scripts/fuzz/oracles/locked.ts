import { definition } from "../acts/tools.ts";
import { wholeLines } from "../client-model.ts";
import { at, type Json, linesOf, listAt, readMessages, textAt } from "../reading.ts";
import type { Exchanged } from "../transcript.ts";
import type { Oracle } from "./violation.ts";

/** An enforced lock: no call of a tool arrives whose newest definition at the client differs from the lock. */
export const locked: Oracle = (transcript) => {
  if (!transcript.set.isLocked) return [];
  const arrived = new Set(linesOf(transcript.serverGot).map((line) => line.toString()));
  return callsOfChanged(transcript.atClient)
    .filter(({ line }) => arrived.has(line))
    .map(({ tool }) => `a call of ${tool} arrived, which differs from the lock`);
};

type CallOfChanged = { readonly tool: string; readonly line: string };

/** The calls of tools whose newest definition, as the client knows it, is not the locked one. */
function callsOfChanged(exchanged: readonly Exchanged[]): readonly CallOfChanged[] {
  const changed = new Set<string>();
  const lists = new Set<unknown>();
  const calls: CallOfChanged[] = [];
  for (const { by, bytes } of wholeLines(exchanged)) {
    for (const { id, method, params, result } of readMessages(bytes)) {
      const tool = textAt(params, "name") ?? "";
      if (by === "server" && method === "" && lists.has(id)) note(changed, result);
      if (by === "server") continue;
      if (method === "tools/list") lists.add(id);
      if (method === "tools/call" && changed.has(tool)) {
        calls.push({ tool, line: Buffer.from(bytes).toString() });
      }
    }
  }
  return calls;
}

function note(changed: Set<string>, result: Json): void {
  for (const tool of listAt(result, "tools")) {
    const name = textAt(tool, "name") ?? "";
    if (at(tool, "description") === definition(name).description) changed.delete(name);
    else changed.add(name);
  }
}
