/** Part of Goose: not servers of the user. */
export const ownExtensions: ReadonlySet<string> = new Set([
  "analyze",
  "apps",
  "autovisualiser",
  "chatrecall",
  "code_execution",
  "computercontroller",
  "developer",
  "dynamic_task",
  "extensionmanager",
  "memory",
  "platform",
  "skills",
  "subagent",
  "summon",
  "todo",
  "tutorial",
]);
