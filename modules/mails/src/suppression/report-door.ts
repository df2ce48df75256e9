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
    routes.post(
      '/api/webhooks/mail/:connectionId/:secret',
      readBytes({ type: () => true, limit: bodyMax }),
      async (request, response, next) => {
        const { connectionId = '', secret = '' } = request.params as Record<string, string>;
        const accountId = isId(connectionId) ? reportLinks.read(connectionId, secret) : undefined;
        const connection =
          accountId && (await connections.findById({ query: database.query, accountId }, connectionId));
        if (!accountId || !connection) return next('route');
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

const headersOf = ({ headers }: Request): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );

const bodyOf = ({ body }: Request): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));
