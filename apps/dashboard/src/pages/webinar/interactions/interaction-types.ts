import type { InteractionType } from '@service/webinars/inputs';
import { IconChartBar, IconClick, IconFileDownload, IconTag, type Icon } from '@tabler/icons-react';

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
};
