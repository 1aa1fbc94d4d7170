import type { LogHome } from "#history/imports/importer.ts";

export function namedFolder({ env }: LogHome, variable: string, usual: string): string {
  const named = env[variable];
  const isAbsolute =
    named !== undefined && (named.startsWith("/") || /^[A-Za-z]:[\\/]/.test(named));
  return isAbsolute ? named.replace(/[\\/]+$/, "") : usual;
}

export function configHome(home: LogHome): string {
  return namedFolder(home, "XDG_CONFIG_HOME", `${home.folder}/.config`);
}

export function applicationFolder(home: LogHome): string {
  const { folder, platform } = home;
  if (platform === "darwin") return `${folder}/Library/Application Support`;
  if (platform === "win32") return namedFolder(home, "APPDATA", `${folder}/AppData/Roaming`);
  return configHome(home);
}
