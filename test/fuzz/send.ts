import { once } from 'node:events';
import { Agent, request as open, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface Sent {
  status: number;
  headers: Headers;
  text: string;
}

/** Not about speed: an answer that has not come by then never comes. */
const patienceMs = 30_000;

export interface Outgoing {
  method: string;
  target: string;
  /** Name, value, name, value. */
  headers: string[];
  body: Buffer | undefined;
  chunked: boolean;
}

/** Sends requests that fetch would not let through, on a few connections that are kept. */
export function createSender(baseUrl: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(baseUrl);
  return {
    async send({ method, target, headers, body, chunked }: Outgoing): Promise<Sent> {
      const length = body && !chunked ? ['Content-Length', String(body.length)] : [];
      const outgoing = open({
        agent,
        hostname,
        port,
        method,
        path: target,
        // As a list they go out as they are, a name twice too; then nothing is added either.
        headers: [
          'Host',
          `${hostname}:${port}`,
          ...headers,
          ...length,
          ...(body && chunked ? ['Transfer-Encoding', 'chunked'] : []),
        ],
        signal: AbortSignal.timeout(patienceMs),
      });
      outgoing.end(body);
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const answered = new Headers();
      for (let index = 0; index < response.rawHeaders.length; index += 2)
        answered.append(response.rawHeaders[index]!, response.rawHeaders[index + 1]!);
      return {
        status: response.statusCode!,
        headers: answered,
        text: unpack(Buffer.concat(chunks), answered),
      };
    },
    close: () => agent.destroy(),
  };
}

function unpack(bytes: Buffer, headers: Headers): string {
  const encoding = bytes.length > 0 ? headers.get('content-encoding') : null;
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

/**
 * Writes bytes to a connection of its own and reads until the server closes it. After `idleMs` of silence it ends its side, so
 * that a server does not wait for more.
 */
export async function sendBytes(baseUrl: string, bytes: string | Buffer, idleMs = 10_000): Promise<string> {
  const socket = connect(Number(new URL(baseUrl).port), 'localhost');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.setTimeout(idleMs, () => socket.end());
  socket.write(bytes);
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the connection stays open')), patienceMs);
    // A reset is an answer too, to a client that sends more than is read.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  return Buffer.concat(chunks).toString('latin1');
}
