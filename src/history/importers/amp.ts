import type { Importer, LogForm, LogHome } from "../imports/importer.ts";
import { AmpReader } from "./amp/reader.ts";

export const amp: Importer = {
  id: "amp",
  name: "Amp",
  places: (home) => [{ folder: `${dataFolder(home)}/threads`, form: formOf }],
  unverified: [
    "the input of a request is taken not to hold its cached part",
    "threads that are kept on Amp's servers alone are not in the folder",
    "the form of calls is known from other programs that read it",
  ],
  open: (file, tools) => new AmpReader(file, tools),
};

function dataFolder({ folder, env }: LogHome): string {
  const named = env["AMP_DATA_DIR"];
  if (named?.startsWith("/") === true) return named.replace(/\/+$/, "");
  const xdg = env["XDG_DATA_HOME"];
  return `${xdg?.startsWith("/") === true ? xdg : `${folder}/.local/share`}/amp`;
}

function formOf(path: string): LogForm | undefined {
  return /^T-[^/]+\.json$/.test(path) ? "document" : undefined;
}
