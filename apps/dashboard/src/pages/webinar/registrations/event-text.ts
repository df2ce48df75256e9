import { formatMoney } from '../../../money.ts';
import type { TimelineEvent } from '../../../trpc.ts';

type Event = Pick<TimelineEvent, 'type' | 'data'>;

const titles: Record<string, string> = {
  registered: 'Registered',
  joined: 'Joined the session',
  left: 'Left the session',
  no_show: 'Did not come',
  watched_minutes: 'Watched some minutes',
  watched_percent: 'Watched a part',
  video_complete: 'Watched to the end',
  interaction_view: 'Saw an interaction',
  cta_click: 'Clicked',
  handout_download: 'Downloaded a handout',
  poll_response: 'Answered a poll',
  chat_response: 'Wrote in the chat',
  branch_taken: 'Took a branch',
  segment_completed: 'Completed a segment',
  purchase: 'Bought something',
  refund: 'Got a refund',
};

/** An event as a person reads it. An event type without a title is shown by its name. */
export function eventText({ type, data }: Event): { title: string; detail: string | undefined } {
  return { title: titles[type] ?? type, detail: detailOf({ type, data }) };
}

function detailOf({ type, data }: Event): string | undefined {
  if (type === 'purchase' || type === 'refund') return amountText(data);
  if (type === 'watched_minutes' || type === 'watched_percent') return progressText(data);
  const interaction = data['interaction'];
  const headline =
    isRecord(interaction) && (textOf(interaction['internal_name']) ?? textOf(interaction['headline']));
  const said = textOf(data['message']) ?? textOf(data['selectedOption']);
  return [headline, said].filter(Boolean).join(': ') || undefined;
}

const amountText = ({ amountMinor, currency }: Event['data']): string | undefined =>
  typeof amountMinor === 'number' && typeof currency === 'string'
    ? formatMoney(amountMinor, currency)
    : undefined;

/** The event of the ledger that a purchase or refund comes from. */
export const revenueEventOf = ({ type, data }: Event): string | undefined =>
  type === 'purchase' || type === 'refund' ? textOf(data['revenueEventId']) : undefined;

function progressText({ watchedSeconds, completionPercent }: Event['data']): string | undefined {
  if (typeof watchedSeconds !== 'number') return undefined;
  const minutes = `${Math.floor(watchedSeconds / 60)} min`;
  return typeof completionPercent === 'number' ? `${minutes}, ${completionPercent} % of the video` : minutes;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
