import type { IncomingHttpHeaders } from 'node:http';
import { databaseTime, isId } from '@service/database';
import { createBuckets } from '@service/rest';
import { revenueErrors } from '../../errors.ts';
import type { RevenueProvider, Verdict } from '../provider.ts';
import { nameOf } from '../source/open-source-keys.ts';
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

// A forger may send from an address that many merchants share, such as that of Stripe. So each source has reads of its own for senders
// that have used up theirs. A read fills the remembered keys, also that of a forged event, so one in ten seconds is enough: a valid
// event waits at most that long after a rotation, and not at all after a start.
const spareOfSource = { burst: 1, perMinute: 6 };

/** These reads of all sources together. Their number must not depend on ids that a forger makes up. */
const spareOfProcess = { burst: 100, perMinute: 6000 };

/** `prove` and `proveFresh` return the id of the secret that signed an event, and throw invalid_signature. */
export function createProver(
  sources: Pick<SourceKeyReader, 'remembered' | 'underWay' | 'read'>,
  activity: Pick<SourceActivity, 'refused'>,
) {
  const unproved = createBuckets(unprovedOfAddress);
  const spare = createBuckets(spareOfProcess);
  const spareBySource = createBuckets(spareOfSource);

  /** Takes one read from the sender, else from the source. Returns what undoes it. Throws too_many_revenue_requests. */
  const takeRead = (event: IncomingEvent): (() => void) => {
    const now = databaseTime();
    const retryAfterSeconds = unproved.take(event.sender, now);
    if (retryAfterSeconds === undefined) return () => unproved.giveBack(event.sender);
    const source = nameOf(addressOf(event));
    const isSpared = spare.take('', now) === undefined;
    if (isSpared && spareBySource.take(source, now) === undefined)
      return () => {
        spare.giveBack('');
        spareBySource.giveBack(source);
      };
    if (isSpared) spare.giveBack('');
    throw revenueErrors.too_many_revenue_requests({ retryAfterSeconds });
  };

  /** With the present keys. Counts as a read if they do not prove the event. Throws too_many_revenue_requests. */
  const proveFresh = async (event: IncomingEvent): Promise<string> => {
    const giveBack = takeRead(event);
    const address = addressOf(event);
    const found = await sources.read(address).catch((error: unknown) => {
      giveBack();
      throw error;
    });
    const { secretId, verdict } = check(event, found);
    if (secretId === undefined) {
      if (found.exists && !verdict.isValid) activity.refused(address, verdict.reason);
      throw revenueErrors.invalid_signature();
    }
    giveBack();
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
