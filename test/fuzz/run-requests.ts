import type { Sent } from './send.ts';

interface RunOptions<Request> {
  requests: readonly Request[];
  concurrency: number;
  send(request: Request): Promise<Sent>;
  /** The problems of an answer, in words. */
  judge(request: Request, sent: Sent): string[];
  /** For a person who wants to send it again. */
  describe(request: Request): string;
}

interface Finding {
  problem: string;
  request: string;
  answer: string;
}

/** Sends all of them, so many at a time; the wrong answers, and the statuses that were seen. */
export async function runRequests<Request>(
  options: RunOptions<Request>,
): Promise<{ findings: Finding[]; statuses: number[] }> {
  const { requests, concurrency, send, judge, describe } = options;
  const findings: Finding[] = [];
  const statuses = new Set<number>();
  const run = async (request: Request): Promise<void> => {
    const sent = await send(request).catch((error: unknown) => error as Error);
    const problems = sent instanceof Error ? [`no answer: ${sent.message}`] : judge(request, sent);
    if (!(sent instanceof Error)) statuses.add(sent.status);
    const answer = sent instanceof Error ? '' : sent.text.slice(0, 500);
    for (const problem of problems) findings.push({ problem, request: describe(request), answer });
  };
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < requests.length) await run(requests[next++]!);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return { findings, statuses: [...statuses] };
}
