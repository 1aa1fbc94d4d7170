import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { useRef, useState } from "../preact.ts";
import { pageSentences } from "../sentences.ts";
import { announcement } from "../state.ts";

const confirmationMs = 1_600;

export function CopyButton(props: {
  label: string;
  accessibleName?: string;
  text: () => string;
  isQuiet?: boolean;
}) {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const announce = (sentence: string, isNowCopied: boolean): void => {
    announcement.value = sentence;
    setCopied(isNowCopied);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setCopied(false);
      announcement.value = "";
    }, confirmationMs);
  };
  const copy = (): void => {
    navigator.clipboard.writeText(props.text()).then(
      () => announce(pageSentences.copied, true),
      () => announce(pageSentences.copyFailed, false),
    );
  };
  return (
    <button
      type="button"
      class={props.isQuiet ? "button quiet" : "button"}
      aria-label={props.accessibleName}
      onClick={copy}
    >
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true" class="icon">
        {isCopied ? <path d="M1.5 6.5l3 3 6-7" /> : <path d="M4 3.5V1h7v7H8.5M1 4h7v7H1z" />}
      </svg>
      {props.label}
    </button>
  );
}

export function Command(props: { line: string }) {
  // Copies the escaped text, because names may contain terminal control characters.
  const line = escapeUnsafe(props.line);
  return (
    <span class="command">
      <code>
        {line.split(" ").map((word, index, words) => (
          // Keeps the browser from breaking a line after the hyphens of an option.
          <span key={index} class="word">
            {index === words.length - 1 ? word : `${word} `}
          </span>
        ))}
      </code>
      <CopyButton label="copy" accessibleName={`copy ${line}`} text={() => line} isQuiet />
    </span>
  );
}

export function EmptyState(props: {
  sentence: string;
  advice?: string;
  commands?: readonly string[];
}) {
  return (
    <div class="empty">
      <p class="empty-title">{props.sentence}</p>
      {props.advice && <p>{props.advice}</p>}
      {props.commands?.map((command) => (
        <p key={command}>
          <Command line={command} />
        </p>
      ))}
    </div>
  );
}
