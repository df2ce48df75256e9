// A pooler like PgBouncer in transaction mode (https://www.pgbouncer.org/features.html). A client has a connection of the server from
// the beginning of a transaction to its end, and the next transaction may get another one. Statements that need a session fail, and
// are noted. Named statements are prepared on each connection that needs them, as by PgBouncer since 1.21.
// Messages: https://www.postgresql.org/docs/current/protocol-message-formats.html.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';

export interface Pooler extends AsyncDisposable {
  url: string;
  /** The texts of statements that need a session. */
  refused: string[];
}

interface ServerConnection {
  client: pg.Client;
  /** Names of the statements that it has prepared. */
  prepared: Set<string>;
  onMessage: (type: string, message: Buffer) => void;
}

const allowedParameters = new Set([
  'user',
  'database',
  'application_name',
  'client_encoding',
  'datestyle',
  'timezone',
  'standard_conforming_strings',
]);

const needsSession = [
  /(?:^|;)\s*(?:un)?listen\b/i,
  /(?:^|;)\s*(?:set\s+(?!local\b|constraints\b)|reset\b|discard\b|prepare\b|deallocate\b)/i,
  /\bpg_(?:try_)?advisory_(?:un)?lock/i,
  /\bset_config\([^)]*,\s*false\s*\)/i,
  /\bcreate\s+temp/i,
];

/** Starts a pooler on a free port of 127.0.0.1, with at most `size` connections to the server. */
export async function startPooler(databaseUrl: string, size: number): Promise<Pooler> {
  const refused: string[] = [];
  const servers = createServers(databaseUrl, size);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serveClient(
      socket,
      servers,
      (text) => needsSession.some((rule) => rule.test(text)) && refused.push(text) > 0,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    refused,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
      await servers.close();
    },
  };
}

type Servers = ReturnType<typeof createServers>;

/** The connections to the server, which clients wait for in their order. */
function createServers(databaseUrl: string, size: number) {
  const all = new Set<ServerConnection>();
  const idle: ServerConnection[] = [];
  const waiting: ((connection: ServerConnection) => void)[] = [];
  let opened = 0;

  async function open(): Promise<ServerConnection> {
    opened += 1;
    const client = new pg.Client({ connectionString: databaseUrl, application_name: 'pooler' });
    client.on('error', () => undefined);
    await client.connect();
    const connection: ServerConnection = { client, prepared: new Set(), onMessage: () => undefined };
    const { stream } = client.connection;
    stream.removeAllListeners('data');
    stream.on(
      'data',
      splitMessages((type, message) => connection.onMessage(type, message)),
    );
    all.add(connection);
    return connection;
  }
  const giveBack = (connection: ServerConnection): void => {
    const next = waiting.shift();
    if (next) next(connection);
    else idle.push(connection);
  };
  return {
    async take(): Promise<ServerConnection> {
      const free = idle.shift();
      if (free) return free;
      if (opened < size) return open();
      return new Promise((resolve) => waiting.push(resolve));
    },
    giveBack,
    /** For a client that left within a transaction. */
    replace(connection: ServerConnection): void {
      all.delete(connection);
      opened -= 1;
      connection.client.connection.stream.destroy();
      if (waiting.length > 0) void open().then(giveBack);
    },
    close: () => Promise.all([...all].map(({ client }) => client.end())),
  };
}

/** Calls `onMessage` for each message of a stream: a byte for its type, four for its length, and the rest. */
function splitMessages(onMessage: (type: string, message: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    while (rest.length >= 5 && rest.length >= 1 + rest.readInt32BE(1)) {
      const end = 1 + rest.readInt32BE(1);
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      onMessage(String.fromCharCode(message[0]!), message);
    }
  };
}

const encode = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};

const text = (value: string): Buffer => Buffer.from(`${value}\0`);

/** Splits texts that end with a zero off the beginning of bytes. */
function readTexts(bytes: Buffer, count: number): { texts: string[]; rest: Buffer } {
  const texts: string[] = [];
  let rest = bytes;
  for (let index = 0; index < count; index += 1) {
    const end = rest.indexOf(0);
    texts.push(rest.toString('utf8', 0, end));
    rest = rest.subarray(end + 1);
  }
  return { texts, rest };
}

const sslRequests = new Set([80877103, 80877104]);

function serveClient(socket: Socket, servers: Servers, refuses: (text: string) => boolean): void {
  socket.on('error', () => undefined);
  socket.once('data', function start(chunk: Buffer) {
    if (sslRequests.has(chunk.readInt32BE(4))) {
      socket.write('N');
      socket.once('data', start);
      return;
    }
    const { texts } = readTexts(chunk.subarray(8), chunk.subarray(8).filter((byte) => byte === 0).length);
    const wrong = texts.find((name, index) => index % 2 === 0 && name !== '' && !allowedParameters.has(name));
    if (wrong !== undefined) {
      socket.end(
        encode(
          'E',
          text('SFATAL'),
          text('C08P01'),
          text(`Munsupported startup parameter: ${wrong}`),
          Buffer.alloc(1),
        ),
      );
      return;
    }
    socket.write(
      Buffer.concat([
        encode('R', Buffer.alloc(4)),
        encode('K', Buffer.alloc(8)),
        encode('Z', Buffer.from('I')),
      ]),
    );
    const client = createClient(socket, servers, refuses);
    socket.on('data', splitMessages(client.send));
    socket.on('close', client.leave);
  });
}

/** `parse` is the message without a name. */
interface Prepared {
  name: string;
  parse: Buffer;
}

function createClient(socket: Socket, servers: Servers, refuses: (text: string) => boolean) {
  const unsent: Buffer[] = [];
  const statements = new Map<string, Prepared>();
  // Answers to expect: `own` are those of statements that the pooler prepares by itself.
  let expected: ('sync' | 'client' | 'own')[] = [];
  let server: ServerConnection | undefined;
  let isTaking = false;
  let hasLeft = false;

  function pump(): void {
    if (!server) return void take();
    for (const message of unsent.splice(0)) server.client.connection.stream.write(translate(server, message));
  }

  async function take(): Promise<void> {
    if (isTaking || unsent.length === 0) return;
    isTaking = true;
    const taken = await servers.take();
    isTaking = false;
    if (hasLeft) return servers.giveBack(taken);
    server = taken;
    taken.onMessage = answer;
    pump();
  }

  function answer(type: string, message: Buffer): void {
    if (type === '3') return;
    if (type === '1' && expected.shift() === 'own') return;
    if (type === 'E') server!.prepared.clear();
    socket.write(message);
    if (type !== 'Z') return;
    expected = expected.slice(expected.indexOf('sync') + 1);
    if (message.toString('latin1', 5) !== 'I' || expected.includes('sync') || unsent.length > 0) return;
    const free = server!;
    free.onMessage = () => undefined;
    server = undefined;
    servers.giveBack(free);
  }

  const allowed = (statement: string): string =>
    refuses(statement) ? `refused_by_the_pooler: ${statement}` : statement;

  const prepare = (connection: ServerConnection, { name, parse }: Prepared): Buffer => {
    connection.prepared.add(name);
    return Buffer.concat([encode('C', text(`S${name}`)), encode('P', text(name), parse)]);
  };

  function translate(connection: ServerConnection, message: Buffer): Buffer {
    const type = String.fromCharCode(message[0]!);
    const body = message.subarray(5);
    if (type === 'S') expected.push('sync');
    if (type === 'Q') {
      expected.push('sync');
      return encode('Q', text(allowed(readTexts(body, 1).texts[0]!)));
    }
    if (type === 'P') {
      const { texts, rest } = readTexts(body, 2);
      const [name, statement] = texts as [string, string];
      const parse = Buffer.concat([text(allowed(statement)), rest]);
      expected.push('client');
      if (name === '') return encode('P', text(''), parse);
      const shared = createHash('sha1').update(parse).digest('hex');
      statements.set(name, { name: shared, parse });
      return prepare(connection, statements.get(name)!);
    }
    const isBind = type === 'B';
    if (!isBind && !(type === 'D' && body.toString('latin1', 0, 1) === 'S')) return message;
    const { texts, rest } = readTexts(isBind ? body : body.subarray(1), isBind ? 2 : 1);
    const statement = statements.get(texts.at(-1)!);
    if (!statement) return message;
    const own = connection.prepared.has(statement.name) ? undefined : prepare(connection, statement);
    if (own) expected.push('own');
    const renamed = isBind
      ? encode('B', text(texts[0]!), text(statement.name), rest)
      : encode('D', text(`S${statement.name}`));
    return own ? Buffer.concat([own, renamed]) : renamed;
  }

  return {
    send(_type: string, message: Buffer): void {
      if (message[0] === 'X'.charCodeAt(0)) return;
      unsent.push(message);
      pump();
    },
    leave(): void {
      hasLeft = true;
      if (server) servers.replace(server);
    },
  };
}
