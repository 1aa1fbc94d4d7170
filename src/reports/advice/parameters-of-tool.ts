import type { KnownLists } from "./server-usage.ts";

export function parametersOf(
  { newest, newestWhole }: KnownLists,
  tool: string,
): readonly string[] | undefined {
  const listed = [newest, newestWhole].flatMap((dated) => dated?.list.tools ?? []);
  return listed.find(({ name }) => name === tool)?.narrowing_parameters;
}
