// The fields of an interaction as callers write them: those of every type, and those that only one type has. Which of them
// may be left out, and what they are then, is kept apart from them, because a PATCH knows the fields but no defaults.
import { id, text, urlText } from '@service/trpc';
import { z } from 'zod';
import { conditionList } from '../condition/condition.ts';
import { interactionDisplays, pollResults, type InteractionType } from '../entities/interaction.ts';
import { wholeNumber } from '../field-inputs.ts';

/** A day, like the longest webinar. */
const secondsMax = 86_400;

const seconds = wholeNumber.min(0).max(secondsMax);

const url = urlText()
  .refine(isWebAddress, 'Must be a URL that starts with https:// or http://, without spaces.')
  .describe('https or http; where the click leads.');

export const commonFields = {
  segmentId: id('segment').nullable(),
  internalName: text(100).describe('For your team and for webhooks; attendees never see it.'),
  headline: text(200),
  body: text(5000).nullable(),
  showAtSeconds: seconds.describe('Position in the video, before its end.'),
  hideAtSeconds: seconds.nullable().describe('After showAtSeconds; null stays until the end.'),
  enabled: z.boolean(),
  availableInReplay: z.boolean(),
  display: z.enum(interactionDisplays),
  dismissible: z.boolean(),
  showWhen: conditionList(10).describe(
    'All must hold; an empty list shows it to everybody. Their values have at most 10,000 characters together.',
  ),
};

export const commonDefaults = {
  segmentId: null,
  body: null,
  hideAtSeconds: null,
  enabled: true,
  availableInReplay: true,
  display: 'popup',
  dismissible: true,
  showWhen: [],
} as const;

const buttonLabel = text(100);

export const typeFields = {
  offer: {
    url,
    buttonLabel,
    priceMinor: wholeNumber
      .min(0)
      .max(1e12)
      .nullable()
      .describe('In the smallest unit of currency, which it needs.'),
    currency: z
      .string()
      .trim()
      .regex(/^[A-Za-z]{3}$/, 'Three letters, such as EUR.')
      .toUpperCase()
      .nullable()
      .describe('ISO 4217; needs priceMinor.'),
    imageUrl: url.describe('https or http.').nullable(),
    productRefs: z
      .array(text(200))
      .max(50)
      .describe('Names of the products in your shop, to attribute revenue by.'),
    couponCode: text(100).nullable(),
    countdownSeconds: wholeNumber.min(1).max(secondsMax).nullable(),
  },
  cta: { url, buttonLabel },
  poll: {
    options: z
      .array(
        z.strictObject({
          id: z
            .string()
            .regex(/^[\w-]{1,64}$/, 'Letters, digits, - and _, at most 64.')
            .optional()
            .describe('Made up when absent.'),
          label: text(200),
        }),
      )
      .min(2, 'At least 2 options.')
      .max(10, 'At most 10 options.'),
    multiple: z.boolean().describe('Whether more than one option may be chosen.'),
    results: z.enum(pollResults).describe('When attendees see the results.'),
  },
  handout: { url, fileName: text(255) },
} as const satisfies Record<InteractionType, z.ZodRawShape>;

export const typeDefaults = {
  offer: {
    priceMinor: null,
    currency: null,
    imageUrl: null,
    productRefs: [],
    couponCode: null,
    countdownSeconds: null,
  },
  cta: {},
  poll: { multiple: false, results: 'after_vote' },
  handout: {},
} as const satisfies Record<InteractionType, object>;

/** The fields of all types together; `url` and `buttonLabel` are the same wherever they are. */
export const anyTypeFields = {
  ...typeFields.handout,
  ...typeFields.poll,
  ...typeFields.cta,
  ...typeFields.offer,
};

/** A script or a file would run or open on the attendee's side; a space or line break breaks the redirect. */
function isWebAddress(value: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(value) && URL.canParse(value);
}
