import type { AlertCommand } from "#alerting/alert-command.ts";
import type { Io } from "#io.ts";
import { homeFolder } from "#storage/folders.ts";
import type { ReportFault } from "./faults.ts";
import type { RunOptions } from "./options.ts";

export async function openAlerts(
  { onAlert: command }: Pick<RunOptions, "onAlert">,
  io: Pick<Io, "env" | "platform" | "signals">,
  report: ReportFault,
): Promise<AlertCommand | undefined> {
  if (command === undefined) return undefined;
  const { AlertCommand: Alerts } = await import("#alerting/alert-command.ts");
  const { startShell } = await import("#alerting/shell-command.ts");
  return new Alerts({
    command,
    home: homeFolder(io.env),
    start: (shell) => startShell(shell, io),
    failed: (sentence, what) => report(sentence, what, "alert command"),
  });
}
