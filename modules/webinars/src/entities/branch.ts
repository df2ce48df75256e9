import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { Condition } from '../condition/condition.ts';

/** `choice`: the viewer picks it; `condition`: taken when its conditions hold; `default`: when nothing else is. */
export const branchKinds = ['choice', 'condition', 'default'] as const;

/** A way from one segment to another. */
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
    /** Of several conditions that hold the lowest one is taken; choices are shown in this order. */
    priority: p.integer(),
    via: p.text().$type<(typeof branchKinds)[number]>(),
    /** Only of `condition`; all must hold. */
    conditions: p.json<Condition[]>().defaultRaw(`'[]'`),
    /** What the viewer is asked, and when; only of `choice`. */
    promptText: p.text().nullable(),
    promptAtSeconds: p.integer().nullable(),
    /** How long the viewer may choose before the default is taken. */
    choiceTimeoutSeconds: p.integer(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export type Branch = InferEntity<typeof Branch>;
