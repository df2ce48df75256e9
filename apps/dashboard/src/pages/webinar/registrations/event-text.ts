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
};

/** An event as a person reads it. An event type without a title is shown by its name. */
export function eventText({ type, data }: Event): { title: string; detail: string | undefined } {
  return { title: titles[type] ?? type, detail: detailOf({ type, data }) };
}

function detailOf({ type, data }: Event): string | undefined {
  if (type === 'watched_minutes' || type === 'watched_percent') return progressText(data);
  const interaction = data['interaction'];
  const headline =
    isRecord(interaction) && (textOf(interaction['internal_name']) ?? textOf(interaction['headline']));
  const said = textOf(data['message']) ?? textOf(data['selectedOption']);
  return [headline, said].filter(Boolean).join(': ') || undefined;
}

function progressText({ watchedSeconds, completionPercent }: Event['data']): string | undefined {
  if (typeof watchedSeconds !== 'number') return undefined;
  const minutes = `${Math.floor(watchedSeconds / 60)} min`;
  return typeof completionPercent === 'number' ? `${minutes}, ${completionPercent} % of the video` : minutes;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
