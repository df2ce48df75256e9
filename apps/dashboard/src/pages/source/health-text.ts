import { formatPlural } from '../../format.ts';
import type { Health } from '../../trpc.ts';
import { failureText } from '../delivery/failure-text.ts';

/** "Timed out, 4 failures in a row" */
export const healthText = ({ lastFailure, lastResponseCode, failuresInARow }: Health): string =>
  `${failureText({ failure: lastFailure, responseCode: lastResponseCode })}, ${formatPlural(failuresInARow, 'failure')} in a row`;
