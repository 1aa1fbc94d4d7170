import type { AlertCommand } from "#state/alerting/alert-command.ts";
import type { Io } from "#kit/io.ts";
import { homeFolder } from "#state/storage/folders.ts";
import type { ReportFault } from "./faults.ts";
import type { RunOptions } from "./options.ts";

export async function openAlerts(
  { onAlert: command }: Pick<RunOptions, "onAlert">,
  io: Pick<Io, "env" | "platform" | "signals">,
  report: ReportFault,
): Promise<AlertCommand | undefined> {
  if (command === undefined) return undefined;
  const { AlertCommand: Alerts } = await import("#state/alerting/alert-command.ts");
  const { startShell } = await import("#state/alerting/shell-command.ts");
  return new Alerts({
    command,
    home: homeFolder(io.env),
    start: (shell) => startShell(shell, io),
    failed: (sentence, what) => report(sentence, what, "alert command"),
  });
}
