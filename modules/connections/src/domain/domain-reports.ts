import type { MailSender } from '@service/mail-senders';
import { LRUCache } from 'lru-cache';
import type { MailSettings } from '../connection/connection.ts';
import { connectionErrors } from '../errors.ts';
import { domainOf, findFreeMail } from './from-address.ts';
import { checkDomain, type DomainCheck, type DomainQuestion } from './check-domain.ts';
import { isPublicName, openDns, type DnsOptions } from './dns.ts';

export interface DomainReport {
  domain: string;
  checkedAt: Date;
  notes: string[];
  /** Empty for a domain whose records the workspace cannot have. */
  checks: DomainCheck[];
}

export interface ReportedConnection {
  accountId: string;
  sender: MailSender;
  credential: unknown;
  settings: MailSettings;
}

const keptMs = 5 * 60_000;
/** A report that a member wants to have again, and one without an answer, is kept for this time. */
const keptBrieflyMs = 15_000;
const reportsMax = 2000;
const openMax = 200;

interface Kept {
  report: Promise<DomainReport>;
  /** Infinity while DNS is being asked. */
  endedAt: number;
}

/** Reports about the domains of connections. One of an account is made at a time. */
export function createDomainReports(options: DnsOptions) {
  const kept = new LRUCache<string, Kept>({ max: reportsMax, ttl: keptMs });
  const lastOf = new Map<string, Promise<unknown>>();
  let open = 0;

  const inTurn = (accountId: string, work: () => Promise<DomainReport>): Promise<DomainReport> => {
    if (open >= openMax) throw connectionErrors.too_many_domain_checks({ retryAfterSeconds: 5 });
    open += 1;
    const last = lastOf.get(accountId) ?? Promise.resolve();
    const report = last.then(work, work).finally(() => {
      open -= 1;
      if (lastOf.get(accountId) === report) lastOf.delete(accountId);
    });
    lastOf.set(accountId, report);
    return report;
  };

  /** `isFresh`: a member asks for the present records. Throws too_many_domain_checks. */
  return async (connection: ReportedConnection, { isFresh }: { isFresh: boolean }): Promise<DomainReport> => {
    const { accountId, sender, credential, settings } = connection;
    const domain = domainOf(settings.from.address);
    const question: DomainQuestion = {
      domain,
      replyDomain: domainOf(settings.replyTo ?? settings.from.address),
      setup: sender.domainSetup(domain, credential),
    };
    const key = `${accountId} ${JSON.stringify(question)}`;
    const former = kept.get(key);
    const isOld = former && isFresh && performance.now() - former.endedAt > keptBrieflyMs;
    if (former && !isOld) return former.report;
    const obstacle = findObstacle(domain);
    const notes = [sender.note?.(credential), obstacle].filter((note) => note !== undefined);
    const report = inTurn(accountId, async (): Promise<DomainReport> => {
      const checks = obstacle === undefined ? await ask(question, options) : [];
      return { domain, checkedAt: new Date(), notes, checks };
    });
    const entry = { report, endedAt: Number.POSITIVE_INFINITY };
    kept.set(key, entry);
    try {
      const isWhole = (await report).checks.every(({ state }) => state !== 'unanswered');
      entry.endedAt = performance.now();
      if (!isWhole && kept.peek(key) === entry) kept.set(key, entry, { ttl: keptBrieflyMs });
    } catch (error) {
      if (kept.peek(key) === entry) kept.delete(key);
      throw error;
    }
    return report;
  };
}

async function ask(question: DomainQuestion, options: DnsOptions): Promise<DomainCheck[]> {
  const dns = openDns(options);
  try {
    return await checkDomain(question, dns);
  } finally {
    dns.close();
  }
}

/** The reason for which there is nothing to check. */
function findObstacle(domain: string): string | undefined {
  const company = findFreeMail(domain)?.name;
  if (company !== undefined)
    return `${domain} belongs to ${company}, which looks after its records. Use a domain of your own to be independent of it.`;
  return isPublicName(domain) ? undefined : `${domain} is not a public domain, so receivers cannot check it.`;
}
