import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { allDeliveryFailures } from '@service/catalogue';

/** One HTTP attempt, written once. Partitioned by its delivery's id, so that both are found, kept and dropped together. */
export const Attempt = defineEntity({
  name: 'Attempt',
  tableName: 'attempt',
  schema: 'deliveries',
  properties: {
    deliveryId: p.uuid().primary(),
    /** From 1. */
    number: p.smallint().primary(),
    accountId: p.uuid().primary(),
    /** The endpoint's URL at that moment. */
    url: p.text(),
    startedAt: p.datetime(3),
    durationMs: p.integer(),
    responseCode: p.smallint().nullable(),
    responseSnippet: p.text().nullable(),
    /** A JSON object as text. Null without a response, and in rows that are older than this column. */
    responseHeaders: p.text().nullable(),
    /** Null when the delivery succeeded. */
    failure: p.enum([...allDeliveryFailures]).nullable(),
    failureMessage: p.text().nullable(),
    /** Null on a connection that was open already, as are the next two; `tlsMs` also without TLS. */
    dnsMs: p.integer().nullable(),
    connectMs: p.integer().nullable(),
    tlsMs: p.integer().nullable(),
    /** From the start to the headers of the answer; null when none came. */
    firstByteMs: p.integer().nullable(),
    /** The URLs that were followed, in order. */
    redirects: p.array().nullable(),
    /** The two signatures that were sent: our own as hex, the one of Standard Webhooks as base64. All other headers follow from the row. */
    signature: p.text().nullable(),
    standardSignature: p.text().nullable(),
  },
});

export type Attempt = InferEntity<typeof Attempt>;
