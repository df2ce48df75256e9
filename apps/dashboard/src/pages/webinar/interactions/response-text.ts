import { formatPlural } from '../../../format.ts';
import type { Interaction } from '../../../trpc.ts';

interface Counts {
  views: number;
  clicks: number;
  clickers: number;
  answers: number;
}

/** "12 answers", "6 clicks (24 %)": the share is of the people who saw it. */
export function responseText({ type }: Pick<Interaction, 'type'>, counts: Counts): string {
  if (type === 'poll') return formatPlural(counts.answers, 'answer');
  const text = formatPlural(counts.clicks, type === 'handout' ? 'download' : 'click');
  const share = shareText(counts.clickers, counts.views);
  return share === undefined ? text : `${text} (${share})`;
}

/** "24 %". Undefined if there are no people, or fewer than clicked: a player reports a view only where it can. */
export function shareText(part: number, whole: number): string | undefined {
  if (whole === 0 || part > whole) return undefined;
  return `${Math.round((part / whole) * 100)} %`;
}
