// The smallest DNS server that c-ares accepts: one question in, the records of its type out (RFC 1035, section 4).
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const types = { A: 1, CNAME: 5, MX: 15, TXT: 16 };
type RecordType = keyof typeof types;
const noSuchName = 3;

export interface DnsServer extends AsyncDisposable {
  /** `address:port`. */
  address: string;
  /** The questions so far: `TXT example.com`. */
  questions: string[];
}

/**
 * The records of each name. A list: its IPv4 addresses, in turn when it has several; `silence` gives no answer. Other names do
 * not exist.
 */
export type Zone = Readonly<Record<string, readonly string[] | OtherRecords>>;

/** An MX is `10 mail.example.com`. A name with a CNAME answers with the records of its target, too. */
interface OtherRecords {
  TXT?: readonly string[];
  CNAME?: string;
  MX?: readonly string[];
}

/** Answers the questions of resolvers on this machine. No name has an IPv6 address. */
export async function startDnsServer(zone: Zone): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const queries = new Map<string, number>();
  const questions: string[] = [];

  const findAddress = (name: string, addresses: readonly string[], isCounted: boolean): string => {
    const turn = queries.get(name) ?? 0;
    if (isCounted) queries.set(name, turn + 1);
    return addresses[Math.min(turn, addresses.length - 1)]!;
  };

  /** Undefined: the name does not exist. */
  const find = (name: string, type: RecordType | undefined): Buffer[] | 'silence' | undefined => {
    const entry = zone[name.toLowerCase()];
    if (!entry) return undefined;
    if (isList(entry)) {
      const address = findAddress(name, entry, type === 'A');
      if (address === 'silence') return 'silence';
      return type === 'A' ? [toRecord('A', name, Buffer.from(address.split('.').map(Number)))] : [];
    }
    const { CNAME: target, TXT = [], MX = [] } = entry;
    if (target !== undefined) {
      const alias = toRecord('CNAME', name, toName(target));
      const rest = type === 'CNAME' ? [] : find(target, type);
      return rest === 'silence' ? rest : [alias, ...(rest ?? [])];
    }
    if (type === 'TXT') return TXT.map((text) => toRecord('TXT', name, toTexts(text)));
    return type === 'MX' ? MX.map((text) => toRecord('MX', name, toExchange(text))) : [];
  };

  socket.on('message', (query, sender) => {
    const { name, code, end } = readQuestion(query);
    const type = (Object.keys(types) as RecordType[]).find((each) => types[each] === code);
    questions.push(`${type ?? code} ${name}`);
    const found = find(name, type);
    if (found === 'silence') return;
    const records = found ?? [];
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
    questions,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

const isList = (entry: Zone[string]): entry is readonly string[] => Array.isArray(entry);

function readQuestion(query: Buffer): { name: string; code: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), code: query.readUInt16BE(at + 1), end: at + 5 };
}

const toName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').flatMap((label) => [Buffer.of(label.length), Buffer.from(label)]),
    Buffer.of(0),
  ]);

/** A text in pieces of 255 bytes. */
const toTexts = (text: string): Buffer =>
  Buffer.concat(
    (text.match(/[^]{1,255}/g) ?? ['']).flatMap((part) => [Buffer.of(part.length), Buffer.from(part)]),
  );

function toExchange(text: string): Buffer {
  const [priority = '', host = ''] = text.split(' ');
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(Number(priority));
  return Buffer.concat([bytes, host === '.' ? Buffer.of(0) : toName(host)]);
}

function toRecord(type: RecordType, name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(types[type], 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt32BE(300, 4);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([toName(name), head, data]);
}
