import { endOf, startCommand, terminate } from './start-command.ts';
import type { Command, Environment } from './start-command.ts';

const keptOutput = 20_000;
const graceMs = 3000;

/** Runs a command that ends by itself. When it fails, the error contains its output. `stop` ends it early. */
export async function runToEnd(command: Command, environment: Environment, stop: AbortSignal): Promise<void> {
  stop.throwIfAborted();
  const child = startCommand(command, environment, ['ignore', 'pipe', 'pipe']);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-keptOutput);
    });
  }
  const stopChild = () => void terminate(child, graceMs, new AbortController().signal);
  stop.addEventListener('abort', stopChild, { once: true });
  const end = await endOf(child);
  stop.removeEventListener('abort', stopChild);
  stop.throwIfAborted();
  if (end !== 'exit code 0') throw new Error(`${command.name} failed (${end}).\n${output.trim()}`.trim());
}
