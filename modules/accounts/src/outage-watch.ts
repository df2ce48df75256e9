// Some calls of better-auth hide a failed statement behind an answer: sign-up behind 422, sign-out behind 200. They pass the
// error only to their logger. An outage of the database is taken from there and thrown.
import { AsyncLocalStorage } from 'node:async_hooks';
import { isUnreachable } from '@service/database';

export type OnError = (message: string, cause: unknown) => void;

export type OutageWatch = ReturnType<typeof createOutageWatch>;

export function createOutageWatch(onError: OnError) {
  const calls = new AsyncLocalStorage<{ outage?: Error }>();
  return {
    /** For better-auth's logger. An outage during `run` is not reported, because `run` throws it. */
    onError(message: string, cause: unknown): void {
      const call = calls.getStore();
      if (call && cause instanceof Error && isUnreachable(cause)) call.outage = cause;
      else onError(message, cause);
    },
    /** Runs a call of better-auth. Throws the error when the database could not be reached. */
    async run<Result>(call: () => Promise<Result>): Promise<Result> {
      const watched: { outage?: Error } = {};
      const [result] = await Promise.allSettled([calls.run(watched, call)]);
      if (watched.outage) throw watched.outage;
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    },
  };
}
