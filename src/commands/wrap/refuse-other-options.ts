import { wordsBeforeServer } from "#clients/meter-word.ts";
import type { FilePlan, PlannedServer } from "./plan-file.ts";

/** The plan with those servers refused that are behind mcp-meter already, without these options of `run`. */
export function refuseOtherOptions(plan: FilePlan, flags: readonly string[]): FilePlan {
  if (flags.length === 0) return plan;
  const servers = plan.servers.map((server) =>
    server.state === "behind" && !hasFlags(server, flags)
      ? { ...server, state: "refused" as const, refusal: "options" as const }
      : server,
  );
  return { ...plan, servers };
}

/** True when the words in front of the server's command have all flags, one behind the other. */
function hasFlags({ entry: { words } }: PlannedServer, flags: readonly string[]): boolean {
  const own = words.slice(0, wordsBeforeServer(words));
  return own.some((_, at) => flags.every((flag, offset) => own[at + offset] === flag));
}
