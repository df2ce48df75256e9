import type { AccountReader } from '@service/database';
import { hasCancelledSession, publicSlots, publicTitleOf, type Webinar } from '@service/webinars';
import type { FormTokens } from './form-tokens.ts';
import { type Branding, type OfferedSlot, pageLocales, type WebinarPage } from './schemas.ts';

type Reader = Pick<AccountReader, 'query' | 'accountId' | 'now'>;

/** The language of the pages of a webinar. */
export const pageLocaleOf = ({ locale }: Pick<Webinar, 'locale'>): WebinarPage['locale'] =>
  pageLocales.find((known) => new Intl.Locale(locale).language === known) ?? 'en';

export const slotToOutput = ({
  startsAt,
  kind,
  isFull,
}: Awaited<ReturnType<typeof publicSlots>>[number]): OfferedSlot => ({
  startsAt: startsAt.toISOString(),
  kind,
  isFull,
});

/** The data of the registration page of a published webinar. */
export async function readPage(
  reader: Reader,
  webinar: Webinar,
  { branding, formTokens }: { branding: Branding; formTokens: Pick<FormTokens, 'create'> },
): Promise<WebinarPage> {
  const slots = await publicSlots(reader, webinar);
  const { id, description, video, durationSeconds, timezone, schedule } = webinar;
  const { presenters, takeaways, linksByMailOnly } = webinar.registrationPage;
  const { fields, consentText } = webinar.registrationForm;
  return {
    serverNow: reader.now.toISOString(),
    slug: webinar.slug,
    locale: pageLocaleOf(webinar),
    webinar: {
      id,
      title: publicTitleOf(webinar),
      description: description ?? null,
      posterUrl: video?.posterUrl ?? null,
      durationSeconds,
      timezone,
      timezoneMode: schedule.timezoneMode,
      presenters,
      takeaways,
    },
    branding,
    state: await stateOf(reader, webinar, slots),
    slots: slots.map(slotToOutput),
    form: { fields, consentText },
    linksByMailOnly,
    formToken: formTokens.create(id, reader.now),
  };
}

async function stateOf(
  reader: Reader,
  webinar: Webinar,
  slots: readonly { isFull: boolean }[],
): Promise<WebinarPage['state']> {
  if (slots.some(({ isFull }) => !isFull)) return 'open';
  if (slots.length > 0) return 'full';
  return (await hasCancelledSession(reader, webinar.id)) ? 'cancelled' : 'closed';
}
