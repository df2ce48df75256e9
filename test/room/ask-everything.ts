import { expect } from 'vitest';
import type { Attendee } from '../support/attendee.ts';

const id = '01a20019-f73d-7328-b7cf-2d244c69bf30';

/** Makes every room call. Returns status and code by route. No answer may contain the token. */
export async function askEverything(attendee: Attendee): Promise<[string, [number, string]][]> {
  const beat = { visitId: id, seq: 1, playheadSeconds: 0, intervals: [], state: 'playing' };
  const calls: [string, object?][] = [
    ['POST /visits', {}],
    ['POST /heartbeats', beat],
    ['POST /leave', beat],
    [`POST /interactions/${id}/views`, {}],
    [`POST /interactions/${id}/clicks`, {}],
    [`POST /interactions/${id}/answers`, { optionId: 'a' }],
    ['POST /messages', { text: 'Hello' }],
    [`POST /branches/${id}`, {}],
    ['GET /events'],
  ];
  const answers: [string, [number, string]][] = [];
  for (const [route, body] of calls) {
    const headers = { 'Content-Type': 'application/json', Accept: 'text/event-stream' };
    const answer = await attendee.call(route, { headers, ...(body && { body: JSON.stringify(body) }) });
    answers.push([route, [answer.status, answer.json?.code]]);
    expect(answer.text).not.toContain(attendee.token);
  }
  return answers;
}
