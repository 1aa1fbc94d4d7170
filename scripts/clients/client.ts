import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ModelApi, Turn } from "./apis/api.ts";

export type Place = {
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
  /** A package of npm that it needs beside it, such as a newer Node.js. */
  readonly alsoInstalls?: string;
  readonly api: ModelApi;
  readonly meterOptions: readonly string[];
  readonly prepare: (place: Place) => Launch;
  readonly load: (tools: readonly string[]) => readonly Turn[];
  readonly loadsAsText: boolean;
  /** Models of an own provider, as in this run, get no images. */
  readonly hidesImages: boolean;
  readonly call: (tool: string) => Turn;
};

export { serverName } from "#tokens/cost/client-profiles/common.ts";

export const prompt = "Call the tools of the server";

export const callArguments = { city: "Oslo" };

export const plain = {
  meterOptions: [],
  load: (): readonly Turn[] => [],
  loadsAsText: false,
  hidesImages: false,
} as const;

export function writeSettings(file: string, settings: object | string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof settings === "string" ? settings : JSON.stringify(settings));
}
