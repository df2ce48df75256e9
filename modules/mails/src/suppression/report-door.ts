// Reports of mail providers. A request that is not proved gets the 404 of a path that does not exist.
import type { Connections } from '@service/connections';
import {
  accountWriter,
  createConnectionGate,
  currentPayer,
  databaseTime,
  idAt,
  isId,
  workFor,
  workForCaller,
  type AccountDatabase,
  type Database,
} from '@service/database';
import { commonErrors } from '@service/errors';
import type { MailSender } from '@service/mail-senders';
import type { HttpDoor } from '@service/module';
import { readBytes } from '@service/rest';
import type { Request } from 'express';
import { recordReports } from './record-reports.ts';
import type { ReportLinks } from './suppression-links.ts';

export interface ReportParts {
  database: Pick<Database, 'ofAccount'>;
  connections: Pick<Connections, 'findById' | 'openReportSecret' | 'senders'>;
  reportLinks: Pick<ReportLinks, 'read'>;
  changes: { announce(accountId: string, topic: 'mails'): void };
}

interface Report {
  accountId: string;
  request: Request;
  body: Buffer;
}

const bodyMax = 1024 * 1024;
const daysMax = 90;

/** Reports of one account that are read and recorded at once. The next ones wait, and their bodies are not read. */
const turnLimits = { places: Infinity, accountMax: 2, waitMaxMs: 5000, waitingMax: 20 };

export function createReportDoor({ database, connections, reportLinks, changes }: ReportParts): HttpDoor {
  const turns = createConnectionGate(turnLimits);

  /** Resolves to false for a report that is not proved. */
  const record = async (account: AccountDatabase, { accountId, request, body }: Report): Promise<boolean> => {
    const { connectionId, secret } = paramsOf(request);
    const connection = await connections.findById({ query: account.query, accountId }, connectionId);
    if (!connection) return false;
    const now = databaseTime();
    const reader = reportReaderOf(connections, connection.provider);
    const proof = reader?.secret ? connections.openReportSecret(connection) : secret;
    const received = { headers: headersOf(request), body, now };
    const events = proof === undefined ? undefined : reader?.read({ ...received, secret: proof });
    if (!events) return false;
    const since = idAt(new Date(now.getTime() - daysMax * 86_400_000));
    await account.transaction((tx) =>
      recordReports(accountWriter(tx, { accountId, now }), { connectionId: connection.id, events, since }),
    );
    return true;
  };

  return {
    mount(routes) {
      routes.post('/api/webhooks/mail/:connectionId/:secret', async (request, response, next) => {
        const { connectionId, secret } = paramsOf(request);
        // Before anything is read: anyone can send one.
        const accountId = isId(connectionId) ? reportLinks.read(connectionId, secret) : undefined;
        if (accountId === undefined) return next('route');
        if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
          throw commonErrors.unsupported_media_type();
        const account = database.ofAccount(accountId);
        workForCaller(account, currentPayer());
        const endTurn = await turns.enter(accountId);
        try {
          const body = await readBytes(request, bodyMax);
          workFor(account);
          const endCall = await account.beginCall();
          try {
            if (!(await record(account, { accountId, request, body }))) return next('route');
          } finally {
            endCall();
          }
        } finally {
          endTurn();
        }
        changes.announce(accountId, 'mails');
        response.status(200).end();
      });
    },
  };
}

/** Undefined for a provider without reports. */
export const reportReaderOf = (
  { senders }: Pick<Connections, 'senders'>,
  provider: string,
): MailSender['events'] => senders.find(({ id }) => id === provider)?.events;

function paramsOf({ params }: Request): { connectionId: string; secret: string } {
  const { connectionId = '', secret = '' } = params as Record<string, string>;
  return { connectionId, secret };
}

const headersOf = ({ headers }: Request): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
