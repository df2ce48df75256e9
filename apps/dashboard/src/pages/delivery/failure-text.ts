import { formatPlural } from '../../format.ts';
import type { Delivery, Health } from '../../trpc.ts';

type Attempt = Pick<Delivery['attemptLog'][number], 'failure' | 'responseCode'>;

const texts: Record<NonNullable<Attempt['failure']>, string> = {
  http_status: 'Refused',
  dns: 'Host name not found',
  blocked_address: 'Address not allowed',
  connect: 'Could not connect',
  tls: 'TLS certificate not accepted',
  timeout: 'Timed out',
  reset: 'Connection reset',
  too_many_redirects: 'Too many redirects',
  invalid_redirect: 'Redirect not allowed',
  invalid_url: 'Not a valid URL',
};

/** The reason of a failed attempt, in the words of a person who runs the receiver. */
export function failureText({ failure, responseCode }: Attempt): string {
  if (responseCode !== null && (failure === null || failure === 'http_status'))
    return `Answered ${responseCode}`;
  return failure === null ? 'No answer' : texts[failure];
}

/** "Timed out, 4 failures in a row" */
export const healthText = ({ lastFailure, lastResponseCode, failuresInARow }: Health): string =>
  `${failureText({ failure: lastFailure, responseCode: lastResponseCode })}, ${formatPlural(failuresInARow, 'failure')} in a row`;
