import { failureReasons } from '@service/catalogue';
import { formatPlural } from '../../format.ts';
import type { Delivery, Health } from '../../trpc.ts';

type Attempt = Pick<Delivery['attemptLog'][number], 'failure' | 'responseCode'>;

/** The reason of a failure, in the words of a person who runs the endpoint. */
export function failureText({ failure, responseCode }: Attempt): string {
  if (responseCode !== null && (failure === null || failure === 'http_status'))
    return `Answered ${responseCode}`;
  return failure === null ? 'No answer' : failureReasons[failure].title;
}

/** "Timed out, 4 failures in a row" */
export const healthText = ({ lastFailure, lastResponseCode, failuresInARow }: Health): string =>
  `${failureText({ failure: lastFailure, responseCode: lastResponseCode })}, ${formatPlural(failuresInARow, 'failure')} in a row`;
