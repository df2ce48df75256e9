// Dynamic client registration (RFC 7591), for clients without a metadata document. A registration needs no sign-in, so strangers
// can make many. Unused ones live for a day, and there are 5,000 at most.
import { defineEntity, p } from '@mikro-orm/postgresql';
import { createId, createOldRowsDeleter, entityRow, statement, type Query } from '@service/database';
import type { ConnectorClient } from './client-metadata.ts';

/** A client that registered itself (RFC 7591). It belongs to no account. */
export const Client = defineEntity({
  name: 'ConnectorClient',
  tableName: 'client',
  schema: 'connectors',
  indexes: [{ name: 'client_expires_at_index', properties: ['expiresAt'] }],
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    redirectUris: p.array(),
    createdAt: p.datetime(3),
    /** A day after the registration, or a year after the last approval. */
    expiresAt: p.datetime(3),
  },
});

/** Registrations without an approval. With one more the oldest is deleted: a flood does not stop new clients. */
export const unusedMax = 5000;

const insertClient = statement({
  name: 'connectors.insert_client',
  text: `
    insert into connectors.client (id, name, redirect_uris, created_at, expires_at)
    values ($1, $2, $3, now(), now() + interval '1 day')`,
});

// A registration that was approved ends later than a day from now, except in its last day. An hour more, because clocks are set back.
const deleteSurplus = statement({
  name: 'connectors.delete_surplus_clients',
  text: `
    delete from connectors.client where id in (
      select id from connectors.client where expires_at <= now() + interval '25 hours'
      order by expires_at desc, id desc offset $1)`,
});

/** Stores a registration. Returns its id. */
export async function registerClient(
  query: Query,
  { name, redirectUris }: Pick<ConnectorClient, 'name' | 'redirectUris'>,
): Promise<string> {
  const id = createId();
  await query(insertClient, [id, name, redirectUris]);
  await query(deleteSurplus, [unusedMax]);
  return id;
}

const clientRow = entityRow(Client);

const selectClient = statement({
  name: 'connectors.select_client',
  text: `
    select id, name, redirect_uris, created_at, expires_at from connectors.client
    where id = $1 and expires_at > now()`,
  row: clientRow.columns,
});

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The registered client with this id, or undefined. */
export async function findRegisteredClient(query: Query, id: string): Promise<ConnectorClient | undefined> {
  if (!uuid.test(id)) return undefined;
  const [row] = await query(selectClient, [id]);
  return row && { id: row.id, name: row.name, host: null, redirectUris: row.redirect_uris };
}

const keepClient = statement({
  name: 'connectors.keep_client',
  text: `update connectors.client set expires_at = now() + interval '1 year' where id = $1`,
});

/** Keeps a registration for a year, because a member approved its client. Does nothing for a client with a document. */
export async function keepRegisteredClient(query: Query, id: string): Promise<void> {
  if (uuid.test(id)) await query(keepClient, [id]);
}

const deleteOld = createOldRowsDeleter({
  table: 'connectors.client',
  time: 'expires_at',
  hasAccounts: false,
});

/** Deletes registrations that have expired. Returns their number. */
export const deleteExpiredClients = (query: Query, now: Date): Promise<number> =>
  deleteOld(query, { before: now });
