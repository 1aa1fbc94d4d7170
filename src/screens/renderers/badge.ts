import type { CheckReport, CheckFailure } from "#check/report.ts";
import type { Risk } from "#tokens/cost/risk.ts";
import type { Profile } from "#lock/profile.ts";
import { makeTokenFormat } from "./token-format.ts";
import { renderJson } from "./document.ts";

type Badge = {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: string;
  /** Keeps users of the badge from overriding its colour. */
  readonly isError?: true;
};

const label = "MCP tokens";

const riskColors: { readonly [risk in Risk]: string } = {
  low: "brightgreen",
  medium: "yellow",
  high: "orange",
  critical: "red",
};

export function renderProfileBadge({ definitions, estimator, verdict }: BadgeProfile): string {
  const message = makeTokenFormat(estimator.is_estimated).tokens(definitions.total_tokens);
  const color = verdict.risk === null ? "blue" : riskColors[verdict.risk];
  const badge: Badge = { schemaVersion: 1, label, message, color };
  return renderJson(badge);
}

type BadgeProfile = Pick<Profile, "definitions" | "estimator" | "verdict">;

export function renderCheckBadge({ failed, definitions }: CheckReport): string {
  // The tokens of definitions depend on the client, so they are always an estimate.
  const { tokens: formatTokens } = makeTokenFormat(true);
  const tokens = formatTokens(definitions.total_tokens.after);
  const badge: Badge = failed
    ? { schemaVersion: 1, label, message: `${tokens}, failed`, color: "red", isError: true }
    : { schemaVersion: 1, label, message: tokens, color: "brightgreen" };
  return renderJson(badge);
}

export function renderFailureBadge(_failure: CheckFailure): string {
  const badge: Badge = {
    schemaVersion: 1,
    label,
    message: "unknown",
    color: "lightgrey",
    isError: true,
  };
  return renderJson(badge);
}
