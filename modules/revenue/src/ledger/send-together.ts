/**
 * Waits for statements that were sent together, and returns their results. Postgres refuses the statements after one that fails; the
 * failure itself is thrown, and not until all have ended.
 */
export async function sendTogether<const Sent extends readonly Promise<unknown>[]>(
  sent: Sent,
): Promise<{ -readonly [Place in keyof Sent]: Awaited<Sent[Place]> }> {
  const results = await Promise.allSettled(sent);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (failures.length > 0) throw failures.find((error) => !isFollowUp(error)) ?? failures[0];
  return Promise.all(sent);
}

/** Class 25P02: the transaction has failed before. */
const isFollowUp = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '25P02';
