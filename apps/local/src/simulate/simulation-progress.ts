import type { Writable } from 'node:stream';

export interface Progress extends Disposable {
  /** Sets the text of the line. */
  show(line: () => string): void;
  /** Prints a line that stays. */
  say(text: string): void;
}

type Output = Writable & { isTTY?: boolean; columns?: number };

const everyMs = { terminal: 1000, file: 10_000 };

/** On a terminal one line that is rewritten every second, elsewhere a new line every ten seconds. */
export function createProgress(output: Output): Progress {
  const isTerminal = output.isTTY === true;
  let line: (() => string) | undefined;
  let isDrawn = false;

  const clear = (): void => {
    if (isDrawn) output.write('\r\u001B[K');
    isDrawn = false;
  };

  const draw = (): void => {
    if (!line) return;
    clear();
    const text = line();
    output.write(isTerminal ? text.slice(0, (output.columns || 100) - 1) : `${text}\n`);
    isDrawn = isTerminal;
  };

  const timer = setInterval(draw, isTerminal ? everyMs.terminal : everyMs.file);
  return {
    show(next) {
      line = next;
      if (isTerminal) draw();
    },
    say(text) {
      clear();
      output.write(`${text}\n`);
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      clear();
    },
  };
}
