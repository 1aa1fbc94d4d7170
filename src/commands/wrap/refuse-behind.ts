import { wordsBeforeServer } from "#clients/meter-word.ts";
import { lostMeter } from "#state/storage/clients/lost-meter.ts";
import type { FilePlan, PlannedServer } from "./plan-file.ts";
import { type refusalReasons } from "./sentences.ts";

/**
 * The plan of `wrap` with those servers refused that are behind mcp-meter already, and not as the user wants: its program is missing, so that
 * they do not start, or they are without these options of `run`.
 */
export function refuseBehind(plan: FilePlan, flags: readonly string[]): FilePlan {
  const servers = plan.servers.map((server) => {
    const refusal = server.state === "behind" ? refusalOf(server, flags) : undefined;
    return refusal === undefined ? server : { ...server, state: "refused" as const, refusal };
  });
  return { ...plan, servers };
}

function refusalOf(
  { entry: { words } }: PlannedServer,
  flags: readonly string[],
): keyof typeof refusalReasons | undefined {
  const own = words.slice(0, wordsBeforeServer(words));
  if (lostMeter(own.map(String)) !== undefined) return "lost";
  const hasFlags =
    flags.length === 0 ||
    own.some((_, at) => flags.every((flag, offset) => own[at + offset] === flag));
  return hasFlags ? undefined : "options";
}
