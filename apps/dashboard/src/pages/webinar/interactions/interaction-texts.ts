import { conditionText, type ConditionNames } from '@service/conditions';
import type { InteractionType } from '@service/webinars/inputs';
import { IconChartBar, IconClick, IconFileDownload, IconMessage, IconTag, type Icon } from '@service/icons';
import { formatPlural } from '../../../format.ts';
import type { Interaction, ResponseCounts } from '../../../trpc.ts';

interface TypeLook {
  /** "Offer" */
  word: string;
  /** "an offer" */
  withArticle: string;
  /** The use of the type, for the menu that adds one. */
  use: string;
  icon: Icon;
  /** A variable of theme.ts. The icon and the word say the same. */
  tone: string;
}

export const typeLooks: Readonly<Record<InteractionType, TypeLook>> = {
  offer: {
    word: 'Offer',
    withArticle: 'an offer',
    use: 'Sell something, with a price and a countdown',
    icon: IconTag,
    tone: 'var(--tone-good)',
  },
  cta: {
    word: 'CTA',
    withArticle: 'a CTA',
    use: 'A button that opens a page',
    icon: IconClick,
    tone: 'var(--tone-info)',
  },
  poll: {
    word: 'Poll',
    withArticle: 'a poll',
    use: 'Ask a question with 2 to 10 answers',
    icon: IconChartBar,
    tone: 'var(--tone-warn)',
  },
  handout: {
    word: 'Handout',
    withArticle: 'a handout',
    use: 'A file to download',
    icon: IconFileDownload,
    tone: 'var(--tone-quiet)',
  },
  chat: {
    word: 'Chat message',
    withArticle: 'a chat message',
    use: 'A message that appears in the chat, marked as recorded',
    icon: IconMessage,
    tone: 'var(--tone-quiet)',
  },
};

/** "Everyone", or "If they joined and they clicked Discount" */
export const audienceText = ({ showWhen }: Pick<Interaction, 'showWhen'>, names: ConditionNames): string =>
  showWhen.length === 0 ? 'Everyone' : `If ${showWhen.map((one) => conditionText(one, names)).join(' and ')}`;

/** "12 answers", "12 people (19 %), 14 clicks": the share is of the people who saw it, and a person may click more than once. */
export function responseText({ type }: Pick<Interaction, 'type'>, counts: ResponseCounts): string {
  if (type === 'poll') return formatPlural(counts.answers, 'answer');
  const people = formatPlural(counts.clickers, 'person', 'people');
  const share = shareText(counts.clickers, counts.views);
  const clicks = formatPlural(counts.clicks, type === 'handout' ? 'download' : 'click');
  const text = share === undefined ? people : `${people} (${share})`;
  return counts.clicks === counts.clickers ? text : `${text}, ${clicks}`;
}

/** "24 %". Undefined if there are no people, or fewer than clicked: a player reports a view only where it can. */
export function shareText(part: number, whole: number): string | undefined {
  if (whole === 0 || part > whole) return undefined;
  return `${Math.round((part / whole) * 100)} %`;
}
