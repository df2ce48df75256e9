import { fork } from 'node:child_process';
import { once } from 'node:events';

export type ServerKind = 'service' | 'service-without-activity' | 'ceiling' | 'mcp-ceiling' | 'mcp-constant';

export interface BenchServer extends Disposable {
  origin: string;
  pid: number;
}

/** Starts a server on a database and waits until it listens. */
export async function startServer(kind: ServerKind, databaseUrl: string): Promise<BenchServer> {
  const child = fork(new URL('server-process.ts', import.meta.url), [kind, databaseUrl]);
  const failed = once(child, 'exit').then(() => Promise.reject(new Error(`The server (${kind}) ended.`)));
  failed.catch(() => undefined);
  const [{ port }] = (await Promise.race([once(child, 'message'), failed])) as [{ port: number }];
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid!, [Symbol.dispose]: () => void child.kill() };
}
