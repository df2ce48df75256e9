import type { InteractionType } from '@service/webinars/inputs';
import {
  IconChartBar,
  IconClick,
  IconFileDownload,
  IconMessage,
  IconTag,
  type Icon,
} from '@tabler/icons-react';
import { formatPlural } from '../../../format.ts';
import type { Interaction, ResponseCounts } from '../../../trpc.ts';
import type { InteractionValues } from './form-values.ts';

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

/** Names of the fields, for the form and the comparison of two people's changes. */
export const interactionLabels: Record<keyof InteractionValues, string> = {
  internalName: 'Name',
  headline: 'Headline',
  body: 'Text',
  segmentId: 'Segment',
  showAtSeconds: 'Appears at',
  hideAtSeconds: 'Disappears at',
  enabled: 'Enabled',
  availableInReplay: 'Also shown in the replay',
  display: 'Place',
  dismissible: 'Attendees can close it',
  showWhen: 'Shown to',
  url: 'URL',
  buttonLabel: 'Button',
  priceMinor: 'Price',
  currency: 'Currency',
  imageUrl: 'Image URL',
  productRefs: 'Products',
  couponCode: 'Coupon code',
  countdownSeconds: 'Countdown',
  options: 'Answers',
  multiple: 'More than one answer',
  results: 'Attendees see the results',
  fileName: 'File name',
  authorName: 'Author',
};

const placeTexts: Readonly<Record<Interaction['display'], string>> = {
  popup: 'Over the video',
  panel: 'Beside the video',
  banner: 'Under the video',
};

/** "Over the video, for everyone." */
export function placeText(type: InteractionType, { display, showWhen, enabled }: InteractionValues): string {
  const place = type === 'chat' ? 'In the chat' : placeTexts[display];
  const people = showWhen.length === 0 ? 'for everyone' : 'if the conditions are met';
  return `${place}, ${people}.${enabled ? '' : ' Not shown while it is not enabled.'}`;
}

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
