import type { Axis } from "./axes.ts";
import { dayText, monthText, weekOf } from "./calendar.ts";
import { listMethod, type UsageFact } from "./cube.ts";
import type { RowKeys } from "./usage-report.ts";

/** The tool of definitions, which belong to none. */
const definitionsLabel = "(definitions)";

const keysBy: { readonly [axis in Axis]: (fact: UsageFact) => RowKeys } = {
  day: ({ day }) => ({ day: dayText(day) }),
  week: ({ day }) => ({ week: dayText(weekOf(day)) }),
  month: ({ day }) => ({ month: monthText(day) }),
  session: ({ session, server }) => ({
    session_id: session.id,
    began: new Date(session.beganMs).toISOString(),
    began_local: session.beganLocal,
    server,
    client: session.client,
  }),
  server: ({ server }) => ({ server }),
  tool: ({ server, method, tool }) => ({ server, method, tool: toolName(method, tool) }),
  model: ({ model }) => ({ model }),
  client: ({ session }) => ({ client: session.client }),
};

/** The members by which the axes name the row of a fact. */
export function rowKeys(axes: readonly Axis[], fact: UsageFact): RowKeys {
  return Object.assign({}, ...axes.map((axis) => keysBy[axis](fact)));
}

/** The name of a tool, or of a method without tools. */
export function toolName(method: string, tool: string | null): string {
  return method === listMethod ? definitionsLabel : (tool ?? `(${method})`);
}
