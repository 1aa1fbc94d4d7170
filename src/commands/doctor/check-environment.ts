import { isDisabled } from "../environment.ts";
import { type Check, ok, warning } from "./finding.ts";

const check = "environment";

/** Variables with our prefix. */
export const checkEnvironment: Check = ({ env, unknownVariables }) => {
  const unknown = unknownVariables.map(({ name, nearest }) => {
    const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
    return warning(check, `${name} is not a variable of mcp-meter${hint}`, `unset ${name}`);
  });
  const disabled = isDisabled(env)
    ? [
        warning(
          check,
          "MCP_METER_DISABLE is set: sessions are not metered",
          "unset MCP_METER_DISABLE",
        ),
      ]
    : [];
  const findings = [...unknown, ...disabled];
  return findings.length > 0 ? findings : [ok(check, "no unknown variable")];
};
