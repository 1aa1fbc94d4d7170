import { isDisabled } from "../environment.ts";
import { disableLock } from "../run/disable-lock.ts";
import { type Check, ok, warning } from "./finding.ts";

const check = "environment";

export const checkEnvironment: Check = async ({ env, platform, unknownVariables }) => {
  const unknown = unknownVariables.map(({ name, nearest }) => {
    const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
    return warning(check, `${name} is not a variable of mcp-meter${hint}`, `unset ${name}`);
  });
  const lock = await disableLock(platform);
  const effect =
    lock === undefined ? "sessions are not metered" : `it has no effect, because ${lock} locks it`;
  const disabled = isDisabled(env)
    ? [warning(check, `MCP_METER_DISABLE is set: ${effect}`, "unset MCP_METER_DISABLE")]
    : [];
  const findings = [...unknown, ...disabled];
  return findings.length > 0 ? findings : [ok(check, "no unknown variable")];
};
