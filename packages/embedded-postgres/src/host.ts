// A small process that runs the server, in a session of its own so that Ctrl-C in a terminal does not reach the server
// before its clients are done. It stops the server when its standard input closes: at once when the parent asked for it,
// and when the parent was killed without a chance to ask, as soon as the parent's orphaned clients have finished.
import { execFile, spawn } from 'node:child_process';
import type { HostOrder } from './host-process.ts';

const order = JSON.parse(process.argv[2] ?? '') as HostOrder;
// The reader of these streams may be gone, which must not end this process.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

const server = spawn(order.program, order.arguments, {
  uid: order.user?.uid,
  gid: order.user?.gid,
  cwd: order.cluster,
  env: order.environment,
  stdio: ['ignore', 2, 2],
});
server.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
  process.stdin.destroy();
});
server.once('exit', (code) => process.exit(code ?? 1));
if (server.pid) process.stdout.write(`${server.pid}\n`);

let stopping = false;
let asked = false;
process.stdin.on('error', () => {}).on('data', () => (asked = true));
process.stdin.once('close', () => (asked ? stop() : stopAfterClients()));
process.on('SIGTERM', stop).on('SIGINT', stop).on('SIGHUP', stop);
process.on('SIGQUIT', () => server.kill('SIGQUIT'));

// SIGTERM is the server's "smart" shutdown: no new connections, and the present ones may finish.
function stopAfterClients(): void {
  if (process.platform === 'win32') return stop();
  server.kill('SIGTERM');
  setTimeout(stop, order.orphanGraceMs);
}

// SIGINT is the server's "fast" shutdown, SIGQUIT its "immediate" one, after which the next start replays the log.
function stop(): void {
  if (stopping || server.exitCode !== null) return;
  stopping = true;
  if (process.platform === 'win32') {
    execFile(order.control, ['stop', '-D', order.cluster, '-m', 'fast']);
  } else {
    server.kill('SIGINT');
  }
  setTimeout(() => server.kill('SIGQUIT'), order.stopTimeoutMs);
  setTimeout(() => server.kill('SIGKILL'), order.stopTimeoutMs + 5000);
}
