import type { KnownLists } from "./server-usage.ts";

/** The parameters by which a tool answers less, by the newest list that has it; undefined when they are not known. */
export function parametersOf(
  { newest, newestWhole }: KnownLists,
  tool: string,
): readonly string[] | undefined {
  const listed = [newest, newestWhole].flatMap((dated) => dated?.list.tools ?? []);
  return listed.find(({ name }) => name === tool)?.narrowing_parameters;
}
