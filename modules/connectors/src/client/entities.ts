import { defineEntity, p } from '@mikro-orm/postgresql';

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
