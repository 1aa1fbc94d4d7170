import type { CheckReport } from "#check/report.ts";
import type { Risk } from "#tokens/cost/risk.ts";
import type { Profile } from "#lock/profile.ts";
import { makeTokenFormat } from "./token-ranges.ts";
import { renderJson } from "./document.ts";

type BadgeValue = {
  readonly message: string;
  readonly color: string;
  /** Keeps users of the badge from overriding its color. */
  readonly isError?: true;
};

function renderBadge(value: BadgeValue): string {
  return renderJson({ schemaVersion: 1, label: "MCP tokens", ...value });
}

const riskColors: { readonly [risk in Risk]: string } = {
  low: "brightgreen",
  medium: "yellow",
  high: "orange",
  critical: "red",
};

export function renderProfileBadge({
  definitions,
  estimator,
  verdict,
}: Pick<Profile, "definitions" | "estimator" | "verdict">): string {
  const message = makeTokenFormat(estimator.is_estimated).tokens(definitions.total_tokens);
  const color = verdict.risk === null ? "blue" : riskColors[verdict.risk];
  return renderBadge({ message, color });
}

export function renderCheckBadge({ failed, definitions }: CheckReport): string {
  // Clients may change definitions before their models read them, so the count is marked as an estimate.
  const { tokens: formatTokens } = makeTokenFormat(true);
  const tokens = formatTokens(definitions.total_tokens.after);
  return failed
    ? renderBadge({ message: `${tokens}, failed`, color: "red", isError: true })
    : renderBadge({ message: tokens, color: "brightgreen" });
}

export function renderFailureBadge(): string {
  return renderBadge({ message: "unknown", color: "lightgrey", isError: true });
}
