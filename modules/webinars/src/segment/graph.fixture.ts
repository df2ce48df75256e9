import type { Branch, Segment } from '../entities/segment.ts';
import type { Graph } from './graph.ts';

const made = { accountId: 'account', webinarId: 'webinar', createdAt: new Date(0), updatedAt: new Date(0) };

/** A segment whose key and title are its id. Ids in tests are words. */
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

/** A branch such as `intro>end`, which is also its id and label. */
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

/** The default branch leads from intro to short, a choice leads to long, and both lead to the end. */
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
