import type { ModelApi, Turn } from "./apis/api.ts";

/** The folders and programs of one session of a client. */
export type Place = {
  /** The folder that npm installed into. */
  readonly installed: string;
  readonly home: string;
  readonly work: string;
  readonly apiUrl: string;
  /** The command of the MCP server, or of mcp-meter in front of it. */
  readonly server: { readonly command: string; readonly args: readonly string[] };
};

/** A command line, and variables in addition to those of every session. */
type Launch = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<{ [name: string]: string }>;
};

/** A client: how it is installed, configured and started, and how its model calls tools. */
export type ClientDriver = {
  readonly id: string;
  readonly title: string;
  readonly package: string;
  readonly api: ModelApi;
  /** Options of mcp-meter that this client needs. */
  readonly meterOptions: readonly string[];
  /** Writes the configuration of a session. */
  readonly prepare: (place: Place) => Launch;
  /** The turns that load definitions before they are used; none where all are in the context. */
  readonly load: (tools: readonly string[]) => readonly Turn[];
  /** True when definitions are loaded as the text of a tool's answer. */
  readonly loadsAsText: boolean;
  readonly call: (tool: string) => Turn;
};

/** The name that the server has in every client's configuration: the one that mcp-meter prices. */
export { serverName } from "#cost/clients/common.ts";

/** The prompt of every session. */
export const prompt = "Call the tools of the server";

/** The arguments of every call. */
export const callArguments = { city: "Oslo" };
