import type { Branch } from '../entities/branch.ts';
import type { Segment } from '../entities/segment.ts';
import type { Graph } from './graph.ts';

const made = { accountId: 'account', webinarId: 'webinar', createdAt: new Date(0), updatedAt: new Date(0) };

/** A segment that bears its id as its title; ids of tests are words. */
export const segment = (id: string, fields: Partial<Segment> = {}): Segment => ({
  ...made,
  id,
  key: id,
  title: id,
  videoUrl: null,
  durationSeconds: 60,
  isEntry: false,
  isTerminal: false,
  canvas: { x: 0, y: 0 },
  ...fields,
});

/** A way such as `intro>end`, which is its id and label too. */
export function branch(way: string, fields: Partial<Branch> = {}): Branch {
  const [fromSegmentId, toSegmentId] = way.split('>') as [string, string];
  return {
    ...made,
    id: way,
    fromSegmentId,
    toSegmentId,
    label: way,
    priority: 0,
    via: 'default',
    conditions: [],
    promptText: null,
    promptAtSeconds: null,
    choiceTimeoutSeconds: 15,
    ...fields,
  };
}

/** intro, from which one chooses long instead of short; both lead to the end. */
export const fork = (): Graph => ({
  segments: [
    segment('intro', { isEntry: true, durationSeconds: 100 }),
    segment('short', { durationSeconds: 10 }),
    segment('long', { durationSeconds: 1000 }),
    segment('end', { isTerminal: true, durationSeconds: 5 }),
  ],
  branches: [
    branch('intro>short'),
    branch('intro>long', { via: 'choice', promptText: 'More?', promptAtSeconds: 90 }),
    branch('short>end'),
    branch('long>end'),
  ],
});
