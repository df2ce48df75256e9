import { entityRow } from '@service/database';
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

/** A part of an adaptive webinar, with a video of its own. */
export const Segment = defineEntity({
  name: 'Segment',
  tableName: 'segment',
  schema: 'webinars',
  uniques: [{ name: 'segment_key_unique', properties: ['accountId', 'webinarId', 'key'] }],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    webinarId: p.uuid(),
    /** Name for the code of integrators. It does not change with the title. */
    key: p.text(),
    title: p.text(),
    videoUrl: p.text().nullable(),
    durationSeconds: p.integer(),
    isEntry: p.boolean(),
    isTerminal: p.boolean(),
    /** Position in the editor. */
    canvas: p.json<{ x: number; y: number }>(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export type Segment = InferEntity<typeof Segment>;

export const segmentRow = entityRow(Segment);
