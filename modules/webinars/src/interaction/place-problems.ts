import type { AccountReader } from '@service/database';
import type { Issue } from '@service/errors';
import { Segment } from '../entities/segment.ts';
import type { Webinar } from '../entities/webinar.ts';
import type { InteractionFields } from './problems-of.ts';

/**
 * Finds the reasons why an interaction would never be shown: its segment does not exist, or its position is after the end of its
 * segment. Without a segment, the end of the webinar counts.
 */
export async function placeProblems(
  { em, accountId }: AccountReader,
  webinar: Pick<Webinar, 'id' | 'durationSeconds'>,
  { segmentId, showAtSeconds }: Pick<InteractionFields, 'segmentId' | 'showAtSeconds'>,
): Promise<Issue[]> {
  if (segmentId === null) return lateProblems(showAtSeconds, webinar, 'webinar');
  const segment = await em.findOne(Segment, { accountId, webinarId: webinar.id, id: segmentId });
  if (!segment) return [{ path: 'segmentId', message: 'The webinar has no such segment.' }];
  return lateProblems(showAtSeconds, segment, 'segment');
}

const lateProblems = (
  showAtSeconds: number,
  { durationSeconds }: { durationSeconds: number },
  place: string,
): Issue[] =>
  showAtSeconds < durationSeconds
    ? []
    : [
        {
          path: 'showAtSeconds',
          message: `Must be less than the ${place}'s durationSeconds, ${durationSeconds}.`,
        },
      ];
