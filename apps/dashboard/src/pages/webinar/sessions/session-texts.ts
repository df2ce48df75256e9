import type { WordStyle } from '../../../components/status.tsx';
import { formatCount } from '../../../format.ts';
import type { Session, Webinar } from '../../../trpc.ts';

const kindTexts: Record<Session['kind'], string> = {
  scheduled: 'Scheduled',
  just_in_time: 'Just-in-time',
  on_demand: 'On demand',
};

export const sessionStyles: Record<Session['status'], WordStyle> = {
  scheduled: { tone: 'info', isHollow: true, word: 'Not started' },
  live: { tone: 'good', isMoving: true, word: 'Live' },
  ended: { tone: 'quiet', word: 'Ended' },
  cancelled: { tone: 'quiet', isHollow: true, word: 'Cancelled' },
};

/** "Scheduled, API-controlled" */
export const kindText = ({ kind, control }: Pick<Session, 'kind' | 'control'>): string =>
  control === 'api' ? `${kindTexts[kind]}, API-controlled` : kindTexts[kind];

/** The reason why a session cannot be moved. */
export function moveRefusal({ kind, status }: Pick<Session, 'kind' | 'status'>): string | undefined {
  if (kind !== 'scheduled') return `${kindTexts[kind]} sessions start when an attendee registers.`;
  if (status !== 'scheduled') return 'Only a session that has not started can be moved.';
  return undefined;
}

export const canCancel = ({ status }: Pick<Session, 'status'>): boolean =>
  status === 'scheduled' || status === 'live';

/** A cancelled session whose people were not moved to another one. */
export const hasPeopleLeft = ({ status, registrationCount }: Session): boolean =>
  status === 'cancelled' && registrationCount > 0;

/** "12", or "12 of 50" with a capacity. */
export function placesText(session: Session, webinar: Webinar | undefined): string {
  const capacity = webinar?.registrationForm.capacityPerSession ?? null;
  const registered = formatCount(session.registrationCount);
  return capacity === null ? registered : `${registered} of ${formatCount(capacity)}`;
}

/** The place of the details of a session while they load. */
export const sessionParts = [[18, 140], [190]] as const;
