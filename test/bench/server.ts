import { startAnswering } from '../support/answering-process.ts';

export type ServerKind = 'service' | 'service-without-activity' | 'ceiling' | 'mcp-ceiling' | 'mcp-constant';

export interface BenchServer extends Disposable {
  origin: string;
  pid: number;
}

/** Starts a server on a database and waits until it listens. */
export async function startServer(kind: ServerKind, databaseUrl: string): Promise<BenchServer> {
  const program = new URL('server-process.ts', import.meta.url);
  const { first: port, ...child } = await startAnswering<number>(program, [kind, databaseUrl]);
  return { ...child, origin: `http://127.0.0.1:${port}` };
}
