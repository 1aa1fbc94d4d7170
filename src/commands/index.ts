import { budgetsCommand } from "./budgets/index.ts";
import { checkCommand } from "./check/index.ts";
import type { Command } from "./command.ts";
import { countCommand } from "./count/index.ts";
import { lockCommand } from "./lock/index.ts";
import { profileCommand } from "./profile/index.ts";
import { reportCommand } from "./report/index.ts";
import { runCommand } from "./run/index.ts";

const all: readonly Command[] = [
  runCommand,
  reportCommand,
  countCommand,
  profileCommand,
  lockCommand,
  checkCommand,
  budgetsCommand,
];

/** Every command by name, in the order of help. Their modules are loaded when they run. */
export const commands: { readonly [name: string]: Command } = Object.fromEntries(
  all.map((command) => [command.name, command]),
);
