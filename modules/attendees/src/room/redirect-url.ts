import type { Registration } from '../entities/registration.ts';

type Origin = Pick<Registration, 'utmSource' | 'utmMedium' | 'utmCampaign' | 'utmTerm' | 'utmContent'>;

interface RedirectOptions {
  /** The id of the click's event, by which a purchase is found to have come from it. */
  clickId: string;
  registration: Origin;
}

const clickParameter = 'svc_click';

/**
 * Where a click leads: the target with `svc_click`, and with each utm_ parameter of the registration that the target does not
 * set itself. What the target has stays as it was written, since some shops sign their query; only a `svc_click` of before is
 * replaced. The answer is ASCII, so that it can be a header.
 */
export function redirectUrlOf(target: string, { clickId, registration }: RedirectOptions): string {
  const url = new URL(target);
  const given = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && nameOf(pair) !== clickParameter);
  const names = new Set(given.map(nameOf));
  const added = [...utmOf(registration), [clickParameter, clickId] as const]
    .filter(([name, value]) => value && !names.has(name))
    .map(([name, value]) => `${name}=${encodeURIComponent(value!)}`);
  url.search = [...given, ...added].join('&');
  return url.href;
}

const utmOf = (registration: Origin) =>
  [
    ['utm_source', registration.utmSource],
    ['utm_medium', registration.utmMedium],
    ['utm_campaign', registration.utmCampaign],
    ['utm_term', registration.utmTerm],
    ['utm_content', registration.utmContent],
  ] as const;

/** The name of a parameter as the target's server will read it; a query need not be well-formed. */
const nameOf = (pair: string): string | undefined => new URLSearchParams(pair).keys().next().value;
