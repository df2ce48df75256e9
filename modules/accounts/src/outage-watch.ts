// Some calls of better-auth answer a failed statement themselves: sign-up with 422, sign-out with 200. They report the error
// to the logger. From there the caller learns that the database could not be reached.
import { AsyncLocalStorage } from 'node:async_hooks';
import { isUnreachable } from '@service/database';

export type OnError = (message: string, cause: unknown) => void;

export interface OutageWatch {
  /** For better-auth's logger. An outage during `run` is thrown there and not reported here. */
  onError: OnError;
  /** Runs a call of better-auth. Throws the error of a database that could not be reached. */
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
