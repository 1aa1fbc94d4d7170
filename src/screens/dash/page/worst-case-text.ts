import { formatCount, plural } from "#kit/text/numbers.ts";
import type { ToolView } from "../view.ts";
import { compact } from "./format.ts";

type Worst = NonNullable<ToolView["head"]["worst_case"]>;

export function worstCaseText({ tokens, basis, items, item_tokens: item }: Worst): string {
  if (tokens !== null) return `~${compact(tokens)}`;
  const missing = basis === "unbounded" ? "no limit" : "no size";
  if (items === null) return item === null ? missing : `~${compact(item)} an item`;
  return item === null ? plural(items, "item") : `${formatCount(items)} × ~${compact(item)}`;
}

export function worstCaseNote({ tokens, basis, item_tokens, is_listed: isListed }: Worst): string {
  if (tokens === null && item_tokens === null) return "declared";
  if (tokens === null) return basis === "unbounded" ? "no limit declared" : "no size declared";
  return isListed ? "by its schema" : "by its locked schema";
}
