import type { InteractionType } from '../entities/enums.ts';

/** Example bodies for the API reference. */
export const exampleByType: Readonly<Record<InteractionType, Record<string, unknown>>> = {
  offer: {
    internalName: 'Launch discount',
    headline: '20 % off until midnight',
    showAtSeconds: 1800,
    url: 'https://example.com/checkout',
    buttonLabel: 'Get the discount',
    priceMinor: 7900,
    currency: 'EUR',
    countdownSeconds: 600,
  },
  cta: {
    internalName: 'Book a call',
    headline: 'Questions? Talk to us',
    showAtSeconds: 2400,
    url: 'https://example.com/call',
    buttonLabel: 'Book a call',
  },
  poll: {
    internalName: 'Team size',
    headline: 'How large is your team?',
    showAtSeconds: 300,
    hideAtSeconds: 420,
    options: [
      { id: 'small', label: 'Up to 10' },
      { id: 'large', label: 'More than 10' },
    ],
  },
  handout: {
    internalName: 'Slides',
    headline: 'The slides of this webinar',
    showAtSeconds: 60,
    url: 'https://example.com/slides.pdf',
    fileName: 'slides.pdf',
  },
};
