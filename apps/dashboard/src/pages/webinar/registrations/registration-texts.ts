import type { StatusStyle } from '../../../components/status.tsx';
import type { Registration } from '../../../trpc.ts';

export const statusStyles: Record<Registration['status'], StatusStyle & { word: string }> = {
  registered: { tone: 'info', isHollow: true, word: 'Registered' },
  attending: { tone: 'good', isMoving: true, word: 'Attending' },
  attended: { tone: 'good', word: 'Attended' },
  no_show: { tone: 'warn', word: 'No-show' },
  cancelled: { tone: 'quiet', isHollow: true, word: 'Cancelled' },
};

export const sourceTexts: Record<Registration['source'], string> = {
  page: 'Registration page',
  api: 'API',
  bulk: 'API, bulk',
  mcp: 'AI tool',
  dashboard: 'Dashboard',
};

/** "google / cpc / spring", or empty. */
export const campaignText = ({ utm }: Pick<Registration, 'utm'>): string =>
  [utm.source, utm.medium, utm.campaign, utm.term, utm.content].filter(Boolean).join(' / ');

/** The reason why a registration cannot be moved to another session. */
export function moveRefusal({ status }: Pick<Registration, 'status'>): string | undefined {
  if (status === 'registered') return undefined;
  if (status === 'cancelled') return 'The registration is cancelled.';
  return 'The attendee has joined this session or missed it. Register them for the other session instead.';
}
