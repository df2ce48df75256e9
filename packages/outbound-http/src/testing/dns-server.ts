// The smallest DNS server that c-ares accepts: one question in, its A or AAAA records out (RFC 1035, section 4).
import { createSocket } from 'node:dgram';
import ipaddr from 'ipaddr.js';
import { onTestFinished } from 'vitest';

const TYPE_AAAA = 28;
const NO_SUCH_NAME = 3;

export interface DnsServer {
  /** For the `servers` option of createResolver. */
  address: string;
  /** Names asked for, once per packet. */
  questions: string[];
}

/** Answers with what `find` gives for a name: its addresses, none for NXDOMAIN, or `silence` for no packet at all. */
export async function startDnsServer(find: (name: string) => string[] | 'silence'): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const server: DnsServer = { address: '', questions: [] };
  socket.on('message', (query, sender) => {
    const { name, type, end } = readQuestion(query);
    server.questions.push(name);
    const found = find(name);
    if (found === 'silence') return;
    const records = found
      .map((address) => Buffer.from(ipaddr.parse(address).toByteArray()))
      .filter((bytes) => (bytes.length === 16) === (type === TYPE_AAAA))
      .map((bytes) => toRecord(type, bytes));
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (found.length === 0 ? NO_SUCH_NAME : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), sender.port, sender.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => socket.close(() => resolve())));
  server.address = `127.0.0.1:${socket.address().port}`;
  return server;
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function toRecord(type: number, address: Buffer): Buffer {
  const head = Buffer.alloc(12);
  // A pointer to the name in the question.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(300, 6);
  head.writeUInt16BE(address.length, 10);
  return Buffer.concat([head, address]);
}
