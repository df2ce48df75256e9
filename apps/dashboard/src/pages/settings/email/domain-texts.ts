import type { WordStyle } from '../../../components/status.tsx';
import { useTRPC, type DomainCheck } from '../../../trpc.ts';

export const subjectNames: Record<DomainCheck['subject'], string> = {
  spf: 'SPF',
  dkim: 'DKIM',
  return_path: 'Return path',
  dmarc: 'DMARC',
  mx: 'Replies',
};

export const checkStyles: Record<DomainCheck['state'], WordStyle> = {
  fits: { tone: 'good', word: 'Found' },
  missing: { tone: 'warn', word: 'Missing' },
  wrong: { tone: 'bad', word: 'Wrong' },
  not_checked: { tone: 'quiet', isHollow: true, word: 'Not checked' },
  not_needed: { tone: 'quiet', isHollow: true, word: 'Not needed' },
  unanswered: { tone: 'info', isHollow: true, word: 'No answer' },
};

const freshMs = 5 * 60_000;

/** The query of a domain. It is sent alone, because other queries must not wait for DNS. */
export function useDomainOptions(connectionId: string) {
  const trpc = useTRPC();
  return trpc.connections.domain.queryOptions(
    { connectionId },
    { staleTime: freshMs, retry: false, trpc: { context: { isSlow: true } } },
  );
}
