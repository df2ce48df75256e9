// Reports of mail providers. A request that is not proved gets the 404 of a path that does not exist.
import type { Connections } from '@service/connections';
import { accountWriter, databaseTime, idAt, isId, type Database } from '@service/database';
import type { MailSender } from '@service/mail-senders';
import type { HttpDoor } from '@service/module';
import { raw as readBytes, type Request } from 'express';
import { recordReports } from './record-reports.ts';
import type { ReportLinks } from './suppression-links.ts';

export interface ReportParts {
  database: Pick<Database, 'query' | 'transaction'>;
  connections: Pick<Connections, 'findById' | 'openReportSecret' | 'senders'>;
  reportLinks: Pick<ReportLinks, 'read'>;
  changes: { announce(accountId: string, topic: 'mails'): void };
}

const bodyMax = '1mb';
const daysMax = 90;

export const createReportDoor = ({ database, connections, reportLinks, changes }: ReportParts): HttpDoor => ({
  mount(routes) {
    /** The account of the link, if it is one of ours. */
    const accountOf = (request: Request): string | undefined => {
      const { connectionId, secret } = paramsOf(request);
      return isId(connectionId) ? reportLinks.read(connectionId, secret) : undefined;
    };
    routes.post(
      '/api/webhooks/mail/:connectionId/:secret',
      // Before the body is read: anyone can send one.
      (request, _response, next) => next(accountOf(request) === undefined ? 'route' : undefined),
      readBytes({ type: () => true, limit: bodyMax }),
      async (request, response, next) => {
        const { connectionId, secret } = paramsOf(request);
        const accountId = accountOf(request)!;
        const connection = await connections.findById({ query: database.query, accountId }, connectionId);
        if (!connection) return next('route');
        const now = databaseTime();
        const reader = reportReaderOf(connections, connection.provider);
        const proof = reader?.secret ? connections.openReportSecret(connection) : secret;
        const received = { headers: headersOf(request), body: bodyOf(request), now };
        const events = proof === undefined ? undefined : reader?.read({ ...received, secret: proof });
        if (!events) return next('route');
        const since = idAt(new Date(now.getTime() - daysMax * 86_400_000));
        await database.transaction((tx) =>
          recordReports(accountWriter(tx, { accountId, now }), {
            connectionId: connection.id,
            events,
            since,
          }),
        );
        changes.announce(accountId, 'mails');
        response.status(200).end();
      },
    );
  },
});

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

const bodyOf = ({ body }: Request): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));
