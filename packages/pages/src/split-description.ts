const leadMax = 320;

/** The first paragraph of a description stands below the title if it is short, and the rest further down. */
export function splitDescription(description: string | null): { lead: string; rest: string } {
  const text = (description ?? '').trim();
  const [first = '', ...others] = text.split(/\n\s*\n/);
  return first.length <= leadMax ? { lead: first, rest: others.join('\n\n') } : { lead: '', rest: text };
}
