// A session that has ended, or that has no calls left, is refused from memory for some time. So a flood of its calls does not reach
// the database.
import { createHash } from 'node:crypto';
import { notSignedIn, type MemberAdmission } from './member-admission.ts';

/** The token of an ended session is remembered for this time. It cannot become valid again. */
const endedForMs = 60_000;

/** About 2 MB. The oldest token is removed first, and then checked in the database again. */
const tokensMax = 10_000;

interface Refusal {
  admission: MemberAdmission;
  untilMs: number;
}

export function createRefusedTokens(nowMs: () => number = () => performance.now()) {
  const refusals = new Map<string, Refusal>();

  const keep = (token: string, refusal: Refusal): void => {
    refusals.delete(token);
    refusals.set(token, refusal);
    if (refusals.size > tokensMax) refusals.delete(refusals.keys().next().value!);
  };

  return {
    /** The refusal of a remembered token, if it still applies. */
    find(token: string): MemberAdmission | undefined {
      const key = hashOf(token);
      const refusal = refusals.get(key);
      if (!refusal) return undefined;
      const leftMs = refusal.untilMs - nowMs();
      if (leftMs <= 0) {
        refusals.delete(key);
        return undefined;
      }
      const { rate } = refusal.admission;
      return {
        ...refusal.admission,
        rate: rate && { ...rate, retryAfterSeconds: Math.ceil(leftMs / 1000) },
      };
    },
    /** Remembers a refusal. Successful admissions are not remembered. */
    remember(token: string, admission: MemberAdmission | undefined): void {
      if (!admission) {
        keep(hashOf(token), { admission: notSignedIn, untilMs: nowMs() + endedForMs });
        return;
      }
      const { retryAfterSeconds } = admission.rate ?? {};
      if (retryAfterSeconds === undefined || !admission.isSessionUsedUp) return;
      keep(hashOf(token), { admission, untilMs: nowMs() + retryAfterSeconds * 1000 });
    },
  };
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64');
