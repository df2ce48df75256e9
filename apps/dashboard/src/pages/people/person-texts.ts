import type { PersonRegistration } from '../../trpc.ts';

/** The registrations whose attendee has attended, as the list of people counts them, and the net revenue of each currency. */
export function totalsOf(registrations: readonly Pick<PersonRegistration, 'status' | 'revenue'>[]) {
  const nets = new Map<string, number>();
  for (const { currency, netMinor } of registrations.flatMap(({ revenue = [] }) => revenue))
    nets.set(currency, (nets.get(currency) ?? 0) + netMinor);
  return {
    attended: registrations.filter(({ status }) => status === 'attending' || status === 'attended').length,
    revenue: [...nets].map(([currency, netMinor]) => ({ currency, netMinor })),
  };
}

/** "Watched: 0–50 %, 62–65 % of the video." The strip in words, for people who cannot see it. */
export function stripText(parts: readonly number[]): string {
  const ranges: string[] = [];
  for (let from = 0; from < parts.length;) {
    if (parts[from] === 0) {
      from += 1;
      continue;
    }
    const gap = parts.indexOf(0, from);
    const to = gap < 0 ? parts.length : gap;
    const percent = (part: number): number => Math.round((100 * part) / parts.length);
    ranges.push(`${percent(from)}–${percent(to)} %`);
    from = to;
  }
  return ranges.length === 0 ? 'Nothing was watched.' : `Watched: ${ranges.join(', ')} of the video.`;
}
