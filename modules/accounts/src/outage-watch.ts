// Some calls of better-auth hide a failed statement behind an answer: sign-up behind 422, sign-out behind 200. They pass the
// error only to their logger. An outage of the database is taken from there and thrown.
import { AsyncLocalStorage } from 'node:async_hooks';
import { isUnreachable } from '@service/database';

export type OnError = (message: string, cause: unknown) => void;

export interface OutageWatch {
  /** For better-auth's logger. An outage during `run` is not reported, because `run` throws it. */
  onError: OnError;
  /** Runs a call of better-auth. Throws the error when the database could not be reached. */
  run<Result>(call: () => Promise<Result>): Promise<Result>;
}

export function createOutageWatch(onError: OnError): OutageWatch {
  const calls = new AsyncLocalStorage<{ outage?: Error }>();
  return {
    onError(message, cause) {
      const call = calls.getStore();
      if (call && cause instanceof Error && isUnreachable(cause)) call.outage = cause;
      else onError(message, cause);
    },
    async run(call) {
      const watched: { outage?: Error } = {};
      const [result] = await Promise.allSettled([calls.run(watched, call)]);
      if (watched.outage) throw watched.outage;
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    },
  };
}
