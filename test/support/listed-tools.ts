import { ToolList } from "#tokens/cost/tool-list.ts";

export const definition = (name: string, more: object = {}) => ({
  name,
  description: "d",
  inputSchema: {},
  ...more,
});

export function listed(
  ...pages: readonly (readonly [cursor: string | undefined, result: unknown])[]
): ToolList {
  const list = new ToolList();
  for (const [cursor, result] of pages) list.addPage(cursor, result);
  return list;
}
