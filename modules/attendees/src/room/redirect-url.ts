import type { Registration } from '../entities/registration.ts';

type Buyer = Pick<
  Registration,
  'email' | 'utmSource' | 'utmMedium' | 'utmCampaign' | 'utmTerm' | 'utmContent'
>;

interface RedirectOptions {
  /** The id of the click's event, which attributes a purchase to the click. */
  clickId: string;
  registration: Buyer;
}

const clickParameter = 'svc_click';

/** Payment links of Stripe. https://docs.stripe.com/payment-links/url-parameters */
const stripeHost = 'buy.stripe.com';

/**
 * The URL of a click's redirect: the target with `svc_click`, and with the registration's utm_ parameters that the target does
 * not set. The target's own query stays as it was written, because some shops sign it. Only an old `svc_click` is replaced. A
 * payment link of Stripe also gets the click and the e-mail address under Stripe's names, so that its purchase is credited by the
 * click. The result is ASCII, so it can be a header.
 */
export function redirectUrlOf(target: string, { clickId, registration }: RedirectOptions): string {
  const url = new URL(target);
  const given = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && nameOf(pair) !== clickParameter);
  const names = new Set(given.map(nameOf));
  const added = [
    ...utmOf(registration),
    ...(url.host === stripeHost ? stripeOf(registration, clickId) : []),
    [clickParameter, clickId] as const,
  ]
    .filter(([name, value]) => value && !names.has(name))
    .map(([name, value]) => `${name}=${encodeURIComponent(value!)}`);
  url.search = [...given, ...added].join('&');
  return url.href;
}

const stripeOf = ({ email }: Buyer, clickId: string) =>
  [
    ['client_reference_id', clickId],
    ['prefilled_email', email],
  ] as const;

const utmOf = (registration: Buyer) =>
  [
    ['utm_source', registration.utmSource],
    ['utm_medium', registration.utmMedium],
    ['utm_campaign', registration.utmCampaign],
    ['utm_term', registration.utmTerm],
    ['utm_content', registration.utmContent],
  ] as const;

/** The name of a parameter as the target's server reads it. The query can be malformed. */
const nameOf = (pair: string): string | undefined => new URLSearchParams(pair).keys().next().value;
