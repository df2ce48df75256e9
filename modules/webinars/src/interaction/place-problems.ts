import type { AccountReader } from '@service/database';
import type { Issue } from '@service/errors';
import { Segment } from '../entities/segment.ts';
import type { Webinar } from '../entities/webinar.ts';
import type { InteractionFields } from './problems-of.ts';

/**
 * The problems of an interaction that would never be shown: in a segment that the webinar does not have, or after the end of
 * its segment, or of the webinar for one that belongs to none.
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
