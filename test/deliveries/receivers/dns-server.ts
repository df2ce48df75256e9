// The smallest DNS server that c-ares accepts: one question in, at most one A record out (RFC 1035, section 4).
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const typeA = 1;
const noSuchName = 3;

export interface DnsServer extends AsyncDisposable {
  /** `address:port`. */
  address: string;
}

/** The IPv4 address of each name, in turn when it has several; `silence` gives no answer. Other names do not exist. */
export type Zone = Readonly<Record<string, readonly string[]>>;

/** Answers the questions of resolvers on this machine. No name has an IPv6 address. */
export async function startDnsServer(zone: Zone): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const queries = new Map<string, number>();

  const find = (name: string, isCounted: boolean): string | undefined => {
    const turn = queries.get(name) ?? 0;
    if (isCounted) queries.set(name, turn + 1);
    const addresses = zone[name];
    return addresses?.[Math.min(turn, addresses.length - 1)];
  };

  socket.on('message', (query, sender) => {
    const { name, type, end } = readQuestion(query);
    const found = find(name, type === typeA);
    if (found === 'silence') return;
    const records = found === undefined || type !== typeA ? [] : [toRecord(found)];
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (found === undefined ? noSuchName : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), sender.port, sender.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
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

function toRecord(address: string): Buffer {
  const head = Buffer.alloc(12);
  // A pointer to the name in the question.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(typeA, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(300, 6);
  head.writeUInt16BE(4, 10);
  return Buffer.concat([head, Buffer.from(address.split('.').map(Number))]);
}
