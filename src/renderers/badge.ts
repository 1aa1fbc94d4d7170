import type { CheckFailure } from "#check/failure.ts";
import type { CheckReport } from "#check/report.ts";
import { plural } from "#text/numbers.ts";
import { renderJson } from "./json.ts";

/** A badge as shields.io reads it from an endpoint. */
type Badge = {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: string;
  /** True keeps the colour from being overridden. */
  readonly isError?: true;
};

const label = "MCP tokens";

/** The tokens of the definitions, green when the check passed. */
export function renderCheckBadge({ failed, definitions }: CheckReport): string {
  const tokens = plural(definitions.total_tokens.after, "token");
  const badge: Badge = failed
    ? { schemaVersion: 1, label, message: `${tokens}, failed`, color: "red", isError: true }
    : { schemaVersion: 1, label, message: tokens, color: "brightgreen" };
  return renderJson(badge);
}

/** A check that could not be made: the tokens are not known. */
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
