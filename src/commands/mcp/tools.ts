import type { ServedArguments, ServedTool } from "#mcp-server/served-tool.ts";
import { adviceTool, answerAdvice } from "./advice-tool.ts";
import { answerBudgets, budgetsTool } from "./budgets-tool.ts";
import { type IsWanted, QuestionQueue } from "./question-queue.ts";
import type { ToolSetting } from "./tool-setting.ts";
import { answerUsage, usageTool } from "./usage-tool.ts";

type Answer = (args: ServedArguments, setting: ToolSetting, isWanted: IsWanted) => Promise<string>;

export function makeTools(setting: ToolSetting): readonly ServedTool[] {
  const queue = new QuestionQueue();
  const queued = (tool: Omit<ServedTool, "answer">, answer: Answer): ServedTool => ({
    ...tool,
    answer: (args, isWanted) => {
      const key = JSON.stringify([tool.name, args]);
      return queue.ask(key, isWanted, (isStillWanted) => answer(args, setting, isStillWanted));
    },
  });
  return [
    queued(usageTool, answerUsage),
    queued(budgetsTool, answerBudgets),
    queued(adviceTool, answerAdvice),
  ];
}
