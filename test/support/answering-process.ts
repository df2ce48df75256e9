// A program of the tests in a process of its own. It answers each message with one, and ends with its parent.
import { fork, type Serializable } from 'node:child_process';
import { once } from 'node:events';

export interface AnsweringProcess<First> extends Disposable {
  pid: number;
  /** Its first message. */
  first: First;
  ask<Answer>(question: Serializable): Promise<Answer>;
}

interface AnsweringOptions {
  /** Gets what it writes, which is shown on our own output by default. */
  onText?: (text: string) => void;
}

/** Starts it and waits for its first message. Throws when it ends by itself. */
export async function startAnswering<First>(
  program: URL,
  args: readonly string[] = [],
  { onText }: AnsweringOptions = {},
): Promise<AnsweringProcess<First>> {
  // JSON takes seconds for a hundred thousand receipts.
  const child = fork(program, args, { serialization: 'advanced', silent: onText !== undefined });
  if (onText)
    for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding('utf8').on('data', onText);
  const failed = once(child, 'exit').then(() => Promise.reject(new Error(`${program.pathname} ended.`)));
  failed.catch(() => undefined);
  const nextMessage = async () => (await Promise.race([once(child, 'message'), failed]))[0];
  // Answers carry no number, so one question is asked at a time.
  let last: Promise<unknown> = Promise.resolve();
  return {
    pid: child.pid!,
    first: await nextMessage(),
    ask(question) {
      const before = last;
      const answer = (async () => {
        await before;
        child.send(question);
        return nextMessage();
      })();
      last = answer;
      return answer;
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}

/** The other side: sends the first message, and then an answer to each question. */
export function answerParent(first: Serializable, answer: (question: never) => unknown): void {
  const ask = async (question: unknown): Promise<void> =>
    void process.send!((await answer(question as never)) ?? null);
  process.on('disconnect', () => process.exit(0));
  process.on('message', (question) => {
    ask(question).catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
  });
  process.send!(first);
}
