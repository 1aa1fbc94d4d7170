import {
  type Node,
  type ParseError,
  parse,
  parseTree,
  type ParseOptions,
  printParseErrorCode,
} from "jsonc-parser";
import { describeNumberChange } from "../text/numbers.ts";
import {
  type ParsedSource,
  type SourceFault,
  makeSyntaxNode,
  type SyntaxNode,
} from "./syntax-tree.ts";

// A number that JSON.parse would change is a fault.
export function parseJson(text: string): ParsedSource | SourceFault {
  return guardStack(() => {
    const fault = findSyntaxFault(text, { disallowComments: true });
    if (fault) return fault;
    const root = parseTree(text);
    // jsonc-parser turns a member named `__proto__` into a prototype; JSON.parse keeps it.
    return findNumberFault(text, root) ?? { value: JSON.parse(text), tree: toSyntaxNode(root) };
  });
}

function findNumberFault(text: string, node: Node | undefined): SourceFault | undefined {
  const { type, offset = 0, length = 0, children = [] } = node ?? {};
  if (type === "number") {
    const source = text.slice(offset, offset + length);
    const fault = describeNumberChange(source, Number(source));
    return fault === undefined ? undefined : { fault, offset };
  }
  for (const child of children) {
    const fault = findNumberFault(text, child);
    if (fault) return fault;
  }
  return undefined;
}

const jsoncOptions: ParseOptions = { allowTrailingComma: true };

// `recovered`: the value as far as it could be read.
type RecoveredFault = SourceFault & { readonly recovered?: unknown };

export function parseJsonc(text: string): { readonly value: unknown } | RecoveredFault {
  return guardStack(() => {
    const fault = findSyntaxFault(text, jsoncOptions);
    if (fault) return { ...fault, recovered: parse(text, [], jsoncOptions) };
    return { value: toValue(parseTree(text, [], jsoncOptions)) };
  });
}

// Keeps a member named `__proto__`, unlike jsonc-parser.
function toValue({ type, value, children = [] }: Partial<Node> = {}): unknown {
  if (type === "array") return children.map(toValue);
  if (type !== "object") return value;
  const members = children.map(({ children: [name, member] = [] }) => {
    return [String(name?.value), toValue(member)] as const;
  });
  return Object.fromEntries(members);
}

function findSyntaxFault(text: string, options: ParseOptions): SourceFault | undefined {
  const errors: ParseError[] = [];
  parse(text, errors, options);
  return describeFirst(errors);
}

function describeFirst([first]: readonly ParseError[]): SourceFault | undefined {
  if (!first) return undefined;
  const reason = syntaxFaults[printParseErrorCode(first.error)];
  const fault = `not valid JSON${reason === undefined ? "" : `: ${reason}`}`;
  return { fault, offset: first.offset };
}

// The parser recurses, so a long run of open brackets exhausts the stack.
function guardStack<Result>(read: () => Result): Result | SourceFault {
  try {
    return read();
  } catch (error) {
    const isTooDeep = error instanceof RangeError;
    return { fault: isTooDeep ? "nested too deeply" : "not valid JSON", offset: 0 };
  }
}

export function parseJsoncTree(text: string): SyntaxNode | SourceFault {
  return guardStack(() => {
    const errors: ParseError[] = [];
    const root = parseTree(text, errors, jsoncOptions);
    return describeFirst(errors) ?? toSyntaxNode(root);
  });
}

function toSyntaxNode(node: Node | undefined): SyntaxNode {
  const { offset = 0, length = 0, type, children = [] } = node ?? {};
  const range = [offset, offset + length] as const;
  if (type === "string") return makeSyntaxNode("text", range, { value: String(node?.value) });
  if (type === "array") {
    const items = children.map((item) => ({ start: item.offset, node: toSyntaxNode(item) }));
    return makeSyntaxNode("list", range, { items });
  }
  if (type !== "object") return makeSyntaxNode("other", range);
  const members = children.map(({ children: [name, value] = [] }) => {
    const start = name?.offset ?? offset;
    const nameRanges = [[start, start + (name?.length ?? 0)] as const];
    return {
      name: String(name?.value),
      start,
      lastKeyStart: start,
      nameRanges,
      node: toSyntaxNode(value),
    };
  });
  return makeSyntaxNode("map", range, { members });
}

const syntaxFaults: { readonly [fault: string]: string } = {
  InvalidSymbol: "a word not in double quotes must be true, false or null",
  InvalidNumberFormat: "a number is malformed",
  PropertyNameExpected: "a property name is missing",
  ValueExpected: "a value is missing",
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma is missing",
  CloseBraceExpected: 'a closing "}" is missing',
  CloseBracketExpected: 'a closing "]" is missing',
  EndOfFileExpected: "text follows the end of the JSON value",
  InvalidCommentToken: "JSON has no comments",
  UnexpectedEndOfComment: "a comment is not closed",
  UnexpectedEndOfString: "a string is not closed",
  UnexpectedEndOfNumber: "a number is incomplete",
  InvalidUnicode: "a character escape is malformed",
  InvalidEscapeCharacter: "a character escape is malformed",
  InvalidCharacter: "a control character must be escaped",
};
