import { budgetsCommand } from "./budgets/index.ts";
import { checkCommand } from "./check/index.ts";
import type { Command } from "./command.ts";
import { defineCompletionCommand } from "./completion/index.ts";
import { configCommand } from "./config/index.ts";
import { countCommand } from "./count/index.ts";
import { dashCommand } from "./dash/index.ts";
import { doctorCommand } from "./doctor/index.ts";
import { importCommand } from "./import/index.ts";
import { lockCommand } from "./lock/index.ts";
import { mcpCommand } from "./mcp/index.ts";
import { metricsCommand } from "./metrics/index.ts";
import type { CommandName } from "./command-names.ts";
import { profileCommand } from "./profile/index.ts";
import { pruneCommand } from "./prune/index.ts";
import { recordCommand } from "./record/index.ts";
import { reportCommand } from "./report/index.ts";
import { runCommand } from "./run/index.ts";
import { serveCommand } from "./serve/index.ts";
import { statuslineCommand } from "./statusline/index.ts";
import { tailCommand } from "./tail/index.ts";
import { trimCommand } from "./trim/index.ts";
import { unwrapCommand } from "./unwrap/index.ts";
import { validateCommand } from "./validate/index.ts";
import { wrapCommand } from "./wrap/index.ts";

export const commands: { readonly [name: string]: Command } = {
  run: runCommand,
  serve: serveCommand,
  wrap: wrapCommand,
  unwrap: unwrapCommand,
  trim: trimCommand,
  report: reportCommand,
  statusline: statuslineCommand,
  import: importCommand,
  validate: validateCommand,
  count: countCommand,
  profile: profileCommand,
  lock: lockCommand,
  check: checkCommand,
  record: recordCommand,
  budgets: budgetsCommand,
  config: configCommand,
  tail: tailCommand,
  dash: dashCommand,
  doctor: doctorCommand,
  prune: pruneCommand,
  metrics: metricsCommand,
  mcp: mcpCommand,
  completion: defineCompletionCommand(() => Object.values(commands)),
} satisfies { readonly [name in CommandName]: Command };
