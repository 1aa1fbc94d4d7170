import type { ConfiguredEntry } from "#clients/entries-in.ts";
import { meterWord, wordsBeforeServer } from "#clients/meter-word.ts";
import type { ServerState } from "#screens/renderers/documents/settings/wrap.ts";

export type WantedChange = {
  readonly action: "wrap" | "unwrap" | "list";
  readonly isNamed: boolean;
  readonly withRemote?: boolean;
  /** True for a remote entry to which an earlier version gave an address of `serve`. */
  readonly isServed?: boolean;
};

export function judgeEntry(entry: ConfiguredEntry, wanted: WantedChange): ServerState {
  const { words, form } = entry;
  const { action } = wanted;
  if (form === undefined) return remoteState(entry, wanted);
  const isBehind = wordsBeforeServer(words) !== undefined;
  const texts = words.map((word) => (typeof word === "string" ? word : ""));
  // Such as the entry of `mcp-meter mcp`.
  if (!isBehind && meterWord(texts) !== undefined) return "own";
  if (action === "unwrap") return isBehind ? "changed" : "direct";
  return isBehind ? "behind" : wrapState(entry, wanted);
}

function remoteState(entry: ConfiguredEntry, wanted: WantedChange): ServerState {
  const { action, withRemote = false, isServed = false } = wanted;
  if (isServed) return action === "unwrap" ? "changed" : "behind";
  return action === "wrap" && withRemote ? wrapState(entry, wanted) : "remote";
}

function wrapState({ isOff }: ConfiguredEntry, { action, isNamed }: WantedChange): ServerState {
  if (isOff && !isNamed) return "off";
  return action === "wrap" ? "changed" : "direct";
}
