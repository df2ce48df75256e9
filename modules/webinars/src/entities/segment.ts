import { entityRow } from '@service/database';
import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import type { Condition } from '@service/conditions';
import { branchKinds } from './enums.ts';

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

/** `choice`: the viewer picks it. `condition`: taken if its conditions are met. `default`: taken otherwise. */

/** A connection from one segment to another. */
export const Branch = defineEntity({
  name: 'Branch',
  tableName: 'branch',
  schema: 'webinars',
  indexes: [{ name: 'branch_webinar_index', properties: ['accountId', 'webinarId', 'id'] }],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    webinarId: p.uuid(),
    fromSegmentId: p.uuid(),
    toSegmentId: p.uuid(),
    label: p.text(),
    /** Branches are tried and choices are shown in this order, lowest first. */
    priority: p.integer(),
    via: p.enum(branchKinds),
    /** Only for `condition`. All must be met. */
    conditions: p.json<Condition[]>().defaultRaw(`'[]'`),
    /** Only for `choice`: the question to the viewer and its position in the segment. */
    promptText: p.text().nullable(),
    promptAtSeconds: p.integer().nullable(),
    /** Seconds to choose after the end of the segment. Then the default branch is taken. */
    choiceTimeoutSeconds: p.integer(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export type Branch = InferEntity<typeof Branch>;

export const branchRow = entityRow(Branch);
