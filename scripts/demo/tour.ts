import type { CallToolResult, Client } from "@modelcontextprotocol/client";

type Stop = {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly shows: string;
};

const stops: readonly Stop[] = [
  { tool: "echo", args: { message: "Hello, tokens" }, shows: "plain text" },
  {
    tool: "get-structured-content",
    args: { location: "New York" },
    shows: "the same answer twice, as text and as data",
  },
  { tool: "get-tiny-image", args: {}, shows: "an image, priced by its size" },
  {
    tool: "get-resource-links",
    args: { count: 5 },
    shows: "links to resources",
  },
  { tool: "get-sum", args: { a: "two", b: 3 }, shows: "an error: the arguments are wrong" },
  {
    tool: "trigger-long-running-operation",
    args: { duration: 1, steps: 4 },
    shows: "a second of work",
  },
];

function summed({ content, isError }: CallToolResult): string {
  const kinds = content.map(({ type }) => type).join(", ");
  return isError ? `error (${kinds})` : kinds;
}

export async function tour(client: Client, say: (line: string) => void): Promise<void> {
  const { name = "the server", version = "" } = client.getServerVersion() ?? {};
  say(`connected to ${name} ${version}`);
  const { tools } = await client.listTools();
  say(`it offers ${tools.length} tools`);
  for (const { tool, args, shows } of stops) {
    const steps: number[] = [];
    const onprogress = ({ progress }: { readonly progress: number }) => void steps.push(progress);
    const result = await client.callTool({ name: tool, arguments: args }, { onprogress });
    const progress = steps.length > 0 ? `, progress reported ${steps.length} times` : "";
    say(`called ${tool} – ${shows}: ${summed(result)}${progress}`);
  }
}
