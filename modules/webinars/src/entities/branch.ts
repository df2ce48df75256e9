import { entityRow } from '@service/database';
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { Condition } from '../condition/condition.ts';
import { branchKinds } from './enums.ts';

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
