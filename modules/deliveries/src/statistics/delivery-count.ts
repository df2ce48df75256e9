import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

/**
 * Deliveries to one endpoint that were made in one quarter of an hour, written once, after the quarter has ended. Rows of the
 * endpoint `allEndpoints` count those of the account. Partitioned and dropped by day like the deliveries.
 */
export const DeliveryCount = defineEntity({
  name: 'DeliveryCount',
  tableName: 'delivery_count',
  schema: 'deliveries',
  indexes: [{ name: 'delivery_count_endpoint_index', properties: ['accountId', 'endpointId', 'firstId'] }],
  properties: {
    /** The lowest id of the quarter. */
    firstId: p.uuid().primary(),
    accountId: p.uuid().primary(),
    endpointId: p.uuid().primary(),
    deliveries: p.integer(),
    /** Milliseconds of the last attempts of the newest deliveries, `storedSampleMax` at most, as they were when it was counted. */
    durations: p.array<number>((text) => Number(text)).columnType('int[]'),
  },
});

export type DeliveryCount = InferEntity<typeof DeliveryCount>;

/** The endpoint id in the counts of an account. No endpoint has it. */
export const allEndpoints = '00000000-0000-0000-0000-000000000000';

export const quarterMs = 900_000;

/** Durations in one row. */
export const storedSampleMax = 25;
