/** The tools that the fake server has. */
export const toolNames: readonly string[] = ["alpha", "beta", "tool_1", "tool_2", "gamma"];

/** A tool as the fake server lists it. */
export type Tool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
};

/** The definition of a tool. Also in front of `mcp-meter lock`, so that listed tools match the lock. */
export function definition(name: string): Tool {
  return {
    name,
    description: `Finds rows by ${name}`,
    inputSchema: { type: "object", properties: { query: { type: "string" } } },
  };
}
