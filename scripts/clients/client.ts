import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ModelApi, Turn } from "./apis/api.ts";

export type LaunchContext = {
  readonly installed: string;
  readonly home: string;
  readonly work: string;
  readonly apiUrl: string;
  readonly server: { readonly command: string; readonly args: readonly string[] };
};

type Launch = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<{ [name: string]: string }>;
};

export type ClientDriver = {
  readonly id: string;
  readonly title: string;
  readonly package: string;
  /** Another npm package that it needs, such as a newer Node.js. */
  readonly alsoInstalls?: string;
  readonly api: ModelApi;
  readonly meterOptions: readonly string[];
  readonly prepare: (context: LaunchContext) => Launch;
  /** The turns in which the model loads the definitions of tools that the client defers. */
  readonly load: (tools: readonly string[]) => readonly Turn[];
  /** True if the loaded definitions arrive as the text of a result. */
  readonly loadsAsText: boolean;
  /** True if models of a custom provider, as in this run, get no images. */
  readonly hidesImages: boolean;
  readonly call: (tool: string) => Turn;
};

export { serverName } from "#tokens/cost/client-profiles/common.ts";

export const prompt = "Call the tools of the server";

export const callArguments = { city: "Oslo" };

export const driverDefaults = {
  meterOptions: [],
  load: (): readonly Turn[] => [],
  loadsAsText: false,
  hidesImages: false,
} as const;

export function writeSettings(file: string, settings: object | string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof settings === "string" ? settings : JSON.stringify(settings));
}
