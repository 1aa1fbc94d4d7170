import type { Importer, LogForm, LogHome, LogPlace } from "../imports/importer.ts";
import { VsCodeReader } from "./vs-code/reader.ts";

/** One file of changes per session, before that one JSON document. */
export const vsCode: Importer = {
  id: "vs-code",
  name: "VS Code",
  places: (home) => products.flatMap((product) => placesOf(`${settings(home)}/${product}/User`)),
  unverified: [
    "a request has the tokens of its last prompt, and no cached part: its earlier prompts are not logged",
    "calls are known once their request has ended, and the outcome of a call that was answered is taken to be ok",
    "the names of tools are split at the first underscore after the prefix, where no server is named",
  ],
  settings: (home) =>
    products.map((product) => ({
      file: `${settings(home)}/${product}/User/mcp.json`,
      form: "json",
      paths: [["servers"]],
    })),
  open: (file, tools, state) => new VsCodeReader(file, tools, state),
};

const products = ["Code", "Code - Insiders", "VSCodium"];

function settings({ folder, env, platform }: LogHome): string {
  if (platform === "darwin") return `${folder}/Library/Application Support`;
  if (platform === "win32") return env["APPDATA"] ?? `${folder}/AppData/Roaming`;
  const xdg = env["XDG_CONFIG_HOME"];
  return xdg?.startsWith("/") === true ? xdg : `${folder}/.config`;
}

/** Extensions keep large folders next to the sessions of a workspace. */
function placesOf(user: string): readonly LogPlace[] {
  return [
    {
      folder: `${user}/workspaceStorage`,
      enters: (path) => /^[^/]+(?:\/chatSessions)?$/.test(path),
      form: (path) => formOf(/^[^/]+\/chatSessions\/([^/]+)$/.exec(path)?.[1]),
    },
    { folder: `${user}/globalStorage/emptyWindowChatSessions`, form: (path) => formOf(path) },
  ];
}

function formOf(name: string = ""): LogForm | undefined {
  if (name.includes("/") || name === "history.jsonl" || name === "auth.json") return undefined;
  if (name.endsWith(".jsonl")) return "lines";
  return /^[\da-f-]{36}\.json$/i.test(name) ? "document" : undefined;
}
