import type { Action } from "#budgets/action.ts";
import { error } from "./error.ts";
import type { ActionId } from "./rules.ts";
import { spill } from "./spill.ts";
import { throttle } from "./throttle.ts";
import { truncate } from "./truncate.ts";
import { warn } from "./warn.ts";

export const actions: { readonly [id: string]: Action } = {
  error,
  warn,
  truncate,
  spill,
  throttle,
} satisfies { readonly [id in ActionId]: Action };
