import { commonErrors, httpStatusByKind } from '@service/errors';
import { expect, test } from 'vitest';
import { oauthError, tooManyRequests } from '../errors.ts';
import { refusalOf } from './oauth-answer.ts';

const unreachable = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' });

test.each<[string, unknown, string, number]>([
  ['an error of OAuth', oauthError('invalid_grant', 'No.'), 'invalid_grant', 400],
  ['too many requests', tooManyRequests('Later.', 3), 'temporarily_unavailable', 429],
  ['a database that cannot be reached', unreachable, 'temporarily_unavailable', 503],
  ['a body that is too large', commonErrors.body_too_large(), 'invalid_request', 400],
  ['an unknown error', new TypeError('secret of row 7'), 'server_error', 500],
])('%s is answered with a code that OAuth knows, and shows no internals', (_title, thrown, code, status) => {
  const refusal = refusalOf(thrown);
  expect([refusal.code, httpStatusByKind[refusal.kind]]).toEqual([code, status]);
  expect(refusal.message).not.toMatch(/ECONNREFUSED|secret/);
  if (status === 429 || status === 503) expect(refusal.retryAfterSeconds).toBeGreaterThan(0);
});
