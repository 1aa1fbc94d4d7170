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
  const { action } = change;
  if (form === undefined) return judgeRemoteEntry(entry, change);
  const isBehind = countWordsBeforeServer(words) !== undefined;
  const texts = words.map((word) => (typeof word === "string" ? word : ""));
  // mcp-meter is the server itself, as in the entry of `mcp-meter mcp`.
  if (!isBehind && findMeterWord(texts) !== undefined) return "own";
  if (action === "unwrap") return isBehind ? "changed" : "direct";
  if (!isBehind) return judgeDirectEntry(entry, change);
  return typeof planOptions(entry, change) === "object" ? "changed" : "behind";
}

function judgeRemoteEntry(entry: ConfiguredEntry, change: RequestedChange): ServerState {
  const { action, includesRemote = false } = change;
  return action === "wrap" && includesRemote ? judgeDirectEntry(entry, change) : "remote";
}

function judgeDirectEntry(
  { isDisabled }: ConfiguredEntry,
  { action, isNamed }: RequestedChange,
): ServerState {
  if (isDisabled && !isNamed) return "off";
  return action === "wrap" ? "changed" : "direct";
}
