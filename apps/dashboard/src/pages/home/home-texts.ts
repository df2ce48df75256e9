import { formatCount, formatPercent } from '../../format.ts';
import type { ApiKey, Endpoint } from '../../trpc.ts';

const idleMs = 90 * 86_400_000;

/** A key that was not used for 90 days. A new one has as long to be used first. */
export const isIdle = (
  { lastUsedAt, createdAt }: Pick<ApiKey, 'lastUsedAt' | 'createdAt'>,
  nowMs: number,
): boolean => nowMs - Date.parse(lastUsedAt ?? createdAt) > idleMs;

/** Endpoints whose health is this one. One that is switched off gets no deliveries. */
export const countEndpoints = (
  endpoints: readonly Pick<Endpoint, 'enabled' | 'health'>[],
  status: 'paused' | 'failing',
): number => endpoints.filter(({ enabled, health }) => enabled && health.status === status).length;

/** "10,000 or more": a count that ends at `countedMax`. */
export const countText = (count: number, countedMax = Infinity): string =>
  count >= countedMax ? `${formatCount(countedMax)} or more` : formatCount(count);

/** "62%", of those who could attend. A dash before a session has ended. */
export function attendanceText({ attended, noShow }: { attended: number; noShow: number }): string {
  return attended + noShow === 0 ? '–' : formatPercent(attended / (attended + noShow));
}
