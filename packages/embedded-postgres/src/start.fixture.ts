// Run as a program by start.test.ts: starts a database on the folder in argv, prints where it is, and waits.
import { startEmbeddedPostgres } from './index.ts';

const [dataDir = ''] = process.argv.slice(2);
try {
  const { url, port } = await startEmbeddedPostgres({ dataDir });
  process.stdout.write(`${JSON.stringify({ url, port })}\n`);
  process.stdin.resume();
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: (error as Error).message })}\n`);
  process.exitCode = 1;
}
