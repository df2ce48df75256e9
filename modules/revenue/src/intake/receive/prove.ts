import type { IncomingHttpHeaders } from 'node:http';
import { databaseTime, isId } from '@service/database';
import { createBuckets } from '@service/rest';
import { revenueErrors } from '../../errors.ts';
import type { RevenueProvider, Verdict } from '../provider.ts';
import type { SourceAddress, SourceKeyReader, SourceKeys } from '../source/open-source-keys.ts';
import type { SourceActivity } from '../source/source-activity.ts';

export interface IncomingEvent {
  /** As in the path, which may be no id. */
  accountId: string;
  provider: RevenueProvider;
  headers: IncomingHttpHeaders;
  /** The exact bytes. */
  body: Buffer;
  /** The group of addresses to which the sender belongs. */
  sender: string;
}

/** Events without a valid signature from one address. */
const unprovedOfAddress = { burst: 100, perMinute: 60 };

/** `prove` and `proveFresh` return the id of the secret that signed an event, and throw invalid_signature. */
export function createProver(
  sources: Pick<SourceKeyReader, 'remembered' | 'underWay' | 'read'>,
  activity: Pick<SourceActivity, 'refused'>,
) {
  const unproved = createBuckets(unprovedOfAddress);

  /** With the present keys. Counts for the sender if they do not prove the event. Throws too_many_revenue_requests. */
  const proveFresh = async (event: IncomingEvent): Promise<string> => {
    const retryAfterSeconds = unproved.take(event.sender, databaseTime());
    if (retryAfterSeconds !== undefined) throw revenueErrors.too_many_revenue_requests({ retryAfterSeconds });
    const address = addressOf(event);
    const found = await sources.read(address).catch((error: unknown) => {
      unproved.giveBack(event.sender);
      throw error;
    });
    const { secretId, verdict } = check(event, found);
    if (secretId === undefined) {
      if (found.exists && !verdict.isValid) activity.refused(address, verdict.reason);
      throw revenueErrors.invalid_signature();
    }
    unproved.giveBack(event.sender);
    return secretId;
  };

  return {
    proveFresh,
    /** Throws too_many_revenue_requests for a sender that may send no more events without a valid signature. */
    requireUnprovedLeft(sender: string): void {
      const retryAfterSeconds = unproved.wait(sender, databaseTime());
      if (retryAfterSeconds !== undefined)
        throw revenueErrors.too_many_revenue_requests({ retryAfterSeconds });
    },
    /** With the keys of an earlier read if they prove the event, else like `proveFresh`. */
    async prove(event: IncomingEvent): Promise<string> {
      const address = addressOf(event);
      const known = check(event, sources.remembered(address)).secretId;
      if (known !== undefined) return known;
      // After a start, more valid events of one sender may arrive before the first read has ended than it may send unproved.
      const found = await sources.underWay(address)?.catch(() => undefined);
      return (found && check(event, found).secretId) ?? proveFresh(event);
    },
  };
}

/** The secret that proves an event, and the verdict of the provider. */
function check(
  { provider, headers, body }: IncomingEvent,
  { keys }: SourceKeys,
): { secretId: string | undefined; verdict: Verdict } {
  const verdict = provider.verify({ headers, body, keys: keys.map(({ key }) => key), now: databaseTime() });
  return { secretId: verdict.isValid ? keys[verdict.keyIndex]!.secretId : undefined, verdict };
}

const noAccount = '00000000-0000-0000-0000-000000000000';

/** The source of an event. A text that is no id is read like the id of an unknown account, so that both take the same time. */
export const addressOf = ({ accountId, provider }: IncomingEvent): SourceAddress => ({
  accountId: isId(accountId) ? accountId.toLowerCase() : noAccount,
  provider: provider.name,
});
