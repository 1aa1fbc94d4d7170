import { readFileSync, statSync } from "node:fs";
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { z } from "zod";
import { sentences, UserError } from "#errors.ts";
import { configBytesMax } from "#limits.ts";
import { codeOf } from "#os/system-error.ts";

const text = z.string().min(1);

/** The config file: options of `run` by their long names, `-` written as `_`. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  server: text.optional(),
  tokenizer: text.optional(),
  model: text.optional(),
  client: text.optional(),
  window: z.int().positive().optional(),
  risk: z.tuple([z.int().positive(), z.int().positive(), z.int().positive()]).optional(),
  log: text.optional(),
  annotate: z.boolean().optional(),
  log_fsync: z.boolean().optional(),
  summary: z.enum(["table", "markdown", "json", "off"]).optional(),
  summary_file: text.optional(),
  budgets: z
    .array(
      z.strictObject({
        tool: text.optional(),
        limit: z.union([z.int().positive(), text]),
        per: z.enum(["call", "session", "minute", "hour", "day"]).optional(),
        action: text.optional(),
        warn_at: z.int().min(1).max(100).optional(),
      }),
    )
    .optional(),
  lock: text.optional(),
  enforce_lock: z.boolean().optional(),
  error_form: z.enum(["tool", "rpc"]).optional(),
  warn_at: z.int().min(1).max(100).optional(),
  max_repeats: z.int().positive().optional(),
  exit_code: z.enum(["auto", "child"]).optional(),
});

type RawOption = string | boolean | readonly string[];

/** Options of a config file as if they had been written as flags. Throws UserError. */
export function readConfigFile(file: string): { readonly [name: string]: RawOption } {
  const parsed = configSchema.safeParse(parseJsonc(file, readText(file)));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue && issue.path.length > 0 ? `"${issue.path.join(".")}": ` : "";
    const reason = issue?.message ?? "it is malformed";
    throw new UserError(sentences.configMalformed(file, `${place}${reason}`));
  }
  const { $schema: _schema, ...options } = parsed.data;
  const entries = Object.entries(options).flatMap(([key, value]): [string, RawOption][] =>
    value === undefined ? [] : [[key.replaceAll("_", "-"), asOption(value)]],
  );
  return Object.fromEntries(entries);
}

/** Rows of objects stay JSON, for the option that reads them. */
function asOption(value: string | number | boolean | readonly unknown[]): RawOption {
  if (typeof value === "boolean") return value;
  if (!Array.isArray(value)) return String(value);
  return value.every((item) => typeof item === "number") ? value.join(",") : JSON.stringify(value);
}

function readText(file: string): string {
  try {
    const { size } = statSync(file);
    if (size > configBytesMax) {
      throw new UserError(sentences.configUnreadable(file, `it is ${size} bytes long`));
    }
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(sentences.configUnreadable(file, codeOf(error)));
  }
}

function parseJsonc(file: string, source: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(source, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (!first) return value;
  const line = source.slice(0, first.offset).split("\n").length;
  const reason = printParseErrorCode(first.error);
  throw new UserError(sentences.configMalformed(file, `line ${line}: ${reason}, it must be JSON`));
}
