import {
  type ConfiguredEntry,
  countWordsBeforeServer,
  findMeterWord,
} from "#clients/configured-entries.ts";
import type { ServerState } from "#screens/renderers/documents/settings/wrap.ts";
import { planOptions, type WantedOptions } from "./change-entries.ts";

export type RequestedChange = Omit<WantedOptions, "action"> & {
  readonly action: NonNullable<WantedOptions["action"]>;
  readonly isNamed: boolean;
  readonly includesRemote?: boolean;
};

export function judgeEntry(entry: ConfiguredEntry, change: RequestedChange): ServerState {
  const { words, form } = entry;
  const { action, includesRemote = false } = change;
  if (form === undefined && (action !== "wrap" || !includesRemote)) return "remote";
  const isBehind = countWordsBeforeServer(words) !== undefined;
  if (isMeterItself(entry)) return "own";
  if (action === "unwrap") return isBehind ? "changed" : "direct";
  if (!isBehind) return judgeDirectEntry(entry, change);
  return typeof planOptions(entry, change) === "object" ? "changed" : "behind";
}

function judgeDirectEntry(
  { isDisabled }: ConfiguredEntry,
  { action, isNamed }: RequestedChange,
): ServerState {
  if (isDisabled && !isNamed) return "off";
  return action === "wrap" ? "changed" : "direct";
}

/** True if mcp-meter is the server, as in the entry of `mcp-meter mcp`. */
export function isMeterItself({ words }: ConfiguredEntry): boolean {
  const isBehind = countWordsBeforeServer(words) !== undefined;
  return !isBehind && findMeterWord(words.map(String)) !== undefined;
}
