import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Ends this process with an exit code. `process.exit` alone hangs in one of a hundred starts that fail (nodejs/node#54918): it waits for the
 * threads that compile functions, and these may wait for a garbage collection, which only this thread can do. So it does one first.
 */
export function endProcess(code: number): never {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  collectGarbage();
  process.exit(code);
}
