import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ClientDriver, prompt } from "../client.ts";
import { opencode, openCodeConfig } from "./opencode.ts";

export const kilo: ClientDriver = {
  ...opencode,
  id: "kilo",
  title: "Kilo CLI",
  package: "@kilocode/cli",
  prepare: (place) => {
    const folder = join(place.home, ".config/kilo");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "kilo.json"), JSON.stringify(openCodeConfig(place)));
    const platform = `cli-${process.platform}-${process.arch}`;
    return {
      command: join(place.installed, "node_modules/@kilocode", platform, "bin/kilo"),
      args: ["run", "--auto", "--format", "json", "--model", "loopback/model", prompt],
      env: {
        KILO_DISABLE_AUTOUPDATE: "1",
        KILO_DISABLE_DEFAULT_PLUGINS: "1",
        KILO_DISABLE_LSP_DOWNLOAD: "1",
        KILO_DISABLE_MODELS_FETCH: "1",
        KILO_DISABLE_SESSION_INGEST: "1",
        KILO_DISABLE_SHARE: "1",
      },
    };
  },
};
