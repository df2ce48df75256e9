// The campaign that led a visitor to the page, from the address of the page. Everything comes from outside and is cut to the service's limits.
import type { RegistrationPageInput } from '@service/attendees';

/** The parameters that the server takes: its input has exactly these names. */
const clickIdNames = Object.keys({
  gclid: true,
  gbraid: true,
  wbraid: true,
  dclid: true,
  fbclid: true,
  msclkid: true,
  ttclid: true,
  twclid: true,
  li_fat_id: true,
} satisfies Record<keyof NonNullable<RegistrationPageInput['clickIds']>, true>);

const utmMax = 200;
const clickIdMax = 500;
const referrerMax = 2048;

/** `referrer` is the page that linked to this one. One of this site says nothing about a campaign. */
export function readCampaign(
  search: string,
  { referrer, origin }: { referrer: string; origin: string },
): Pick<RegistrationPageInput, 'utm' | 'clickIds' | 'referrer'> {
  const query = new URLSearchParams(search);
  const utmOf = (name: string): string | null => query.get(`utm_${name}`)?.trim().slice(0, utmMax) || null;
  const clickIds = clickIdNames.flatMap((name) => {
    const value = query.get(name)?.trim() ?? '';
    // A part of a click id is worthless.
    return value !== '' && value.length <= clickIdMax ? [[name, value]] : [];
  });
  return {
    utm: {
      source: utmOf('source'),
      medium: utmOf('medium'),
      campaign: utmOf('campaign'),
      term: utmOf('term'),
      content: utmOf('content'),
    },
    clickIds: Object.fromEntries(clickIds),
    referrer: referrer === '' || originOf(referrer) === origin ? null : referrer.slice(0, referrerMax),
  };
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
