import type { Axis } from "./axes.ts";
import { dayText, monthText, weekOf } from "./calendar.ts";
import { listMethod } from "./call-kinds.ts";
import type { UsageFact } from "./usage-fact.ts";
import type { RowKeys } from "./usage-report.ts";

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
  machine: ({ session }) => ({ machine: session.machine }),
};

export function rowKeys(axis: Axis, fact: UsageFact): RowKeys {
  return keysBy[axis](fact);
}

const idsBy: { readonly [axis in Axis]: (fact: UsageFact) => string | number | null } = {
  day: ({ day }) => day,
  week: ({ day }) => weekOf(day),
  month: ({ day }) => monthText(day),
  session: ({ session, server }) => `${session.id.length} ${session.id}${server}`,
  server: ({ server }) => server,
  tool: ({ server, method, tool }) =>
    `${server.length} ${method.length} ${server}${method}${toolName(method, tool)}`,
  model: ({ model }) => model,
  client: ({ session }) => session.client,
  machine: ({ session }) => session.machine,
};

export function rowId(axis: Axis, fact: UsageFact): string | number | null {
  return idsBy[axis](fact);
}

export function toolName(method: string, tool: string | null): string {
  return method === listMethod ? definitionsLabel : (tool ?? `(${method})`);
}
