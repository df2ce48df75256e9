// The registration page of a webinar: its data, the registration that it sends, and the answers.
import type { AccountReader } from '@service/database';
import { instant, text } from '@service/trpc';
import { RegistrationFormOutput, RegistrationPageSettingsOutput, sessionKinds } from '@service/webinars';
import { z } from 'zod';
import { registrantFields } from '../registration/registrant-input.ts';

/** The workspace as its attendees see it. */
export const BrandingOutput = z.object({
  name: z.string(),
  /** `#rrggbb`. */
  color: z.string().nullable(),
  /** Black or white, the one that can be read on `color`. */
  textColor: z.string().nullable(),
  logoUrl: z.string().nullable(),
});

export type Branding = z.output<typeof BrandingOutput>;

/** Reads what attendees see of a workspace. Another module has it. */
export type BrandingReader = (
  reader: Pick<AccountReader, 'query' | 'accountId'>,
) => Promise<Branding & { isSuspended: boolean }>;

/** The pages have texts in these languages. A webinar in another language has English pages. */
export const pageLocales = ['en', 'de'] as const;

const sessionKind = z.enum(sessionKinds);

/** A start that can be booked. */
export const OfferedSlot = z.object({
  startsAt: instant(),
  kind: sessionKind,
  isFull: z.boolean(),
});

export type OfferedSlot = z.output<typeof OfferedSlot>;

export const WebinarPage = z.object({
  serverNow: instant(),
  slug: z.string(),
  locale: z.enum(pageLocales),
  webinar: z.object({
    id: z.uuid(),
    title: z.string(),
    description: z.string().nullable(),
    posterUrl: z.string().nullable(),
    durationSeconds: z.number().int(),
    timezone: z.string(),
    timezoneMode: z.enum(['fixed', 'viewer']),
    presenters: RegistrationPageSettingsOutput.shape.presenters,
    takeaways: z.array(z.string()),
  }),
  branding: BrandingOutput,
  /** `closed`: no session can be booked any more. `cancelled`: neither, and the next session was cancelled. */
  state: z.enum(['open', 'full', 'closed', 'cancelled']),
  /** Soonest first. The one of an on-demand webinar starts in the current minute. */
  slots: z.array(OfferedSlot),
  form: z.object({
    fields: RegistrationFormOutput.shape.fields,
    consentText: z.string().nullable(),
  }),
  linksByMailOnly: z.boolean(),
  /** Sent back with the registration. */
  formToken: z.string(),
});

export type WebinarPage = z.output<typeof WebinarPage>;

/** Parameters that advertisers add to the address of a page. Stored in `metadata`. */
export const clickIdNames = [
  'gclid',
  'gbraid',
  'wbraid',
  'dclid',
  'fbclid',
  'msclkid',
  'ttclid',
  'twclid',
  'li_fat_id',
] as const;

const clickIds = Object.fromEntries(clickIdNames.map((name) => [name, text(500).optional()])) as Record<
  (typeof clickIdNames)[number],
  z.ZodOptional<ReturnType<typeof text>>
>;

const { name, email, sessionTime, timezone, locale, customFields, utm, referrer } = registrantFields;

export const RegistrationPageInput = z.strictObject({
  name,
  email,
  sessionTime,
  timezone,
  locale,
  customFields,
  utm,
  referrer,
  clickIds: z.strictObject(clickIds).default({}),
  /** True if the person agreed to the consent text of the page. */
  consent: z.boolean().optional(),
  /** A field that people do not see. Programs that fill in every field give it a value, and are answered without a registration. */
  website: z.string().max(500).optional(),
  formToken: z.string().max(200),
});

const { shape } = RegistrationPageInput;

/** Fields that come from the browser and its address, and not from the person. */
const ofBrowser: Readonly<Record<string, z.ZodType>> = {
  timezone: shape.timezone,
  locale: shape.locale,
  utm: shape.utm,
  referrer: shape.referrer,
  clickIds: shape.clickIds,
};

/** Leaves out fields of the browser that would be refused, because the person could not correct them. */
export const withoutRefused = (body: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => !Object.hasOwn(ofBrowser, name) || ofBrowser[name]!.safeParse(value).success,
    ),
  );

/** The body that the page sends. */
export type RegistrationPageInput = z.input<typeof RegistrationPageInput>;

export const CalendarLinks = z.object({ icsUrl: z.url(), googleUrl: z.url(), outlookUrl: z.url() });

/** 201. */
const Registered = z.object({
  state: z.literal('registered'),
  joinUrl: z.url(),
  session: z.object({ id: z.uuid(), kind: sessionKind, startsAt: instant(), endsAt: instant() }),
  calendar: CalendarLinks,
});

/** 202. The same for an address that is registered and for one that is not. */
const LinkByMail = z.object({ state: z.literal('link_by_mail') });

/** In `data` of the answer to a registration. */
export const RegistrationPageOutput = z.discriminatedUnion('state', [Registered, LinkByMail]);

export type RegistrationPageOutput = z.output<typeof RegistrationPageOutput>;
