import { randomBytes, randomUUID } from 'node:crypto';
import { createSecretBox } from '@service/secrets';
import { expect, test } from 'vitest';
import { createSecret, readCredential, writeCredential } from './credential.ts';

const newKey = () => randomBytes(32).toString('base64');
const key = newKey();
const secretBox = createSecretBox(key);
const credential = { accountId: randomUUID(), grantId: randomUUID(), generation: 7, secret: createSecret() };

test('a credential is read as it was written, also after the encryption key was replaced', () => {
  const text = writeCredential('refresh_token', credential, secretBox);
  expect(readCredential('refresh_token', text, secretBox)).toEqual(credential);
  expect(readCredential('refresh_token', text, createSecretBox(newKey(), [key]))).toEqual(credential);
});

test('a code is no refresh token and the reverse, also under the prefix of the other', () => {
  const code = writeCredential('code', credential, secretBox);
  expect(readCredential('refresh_token', code, secretBox)).toBeUndefined();
  expect(readCredential('refresh_token', code.replace('svc_code_', 'svc_rt_'), secretBox)).toBeUndefined();
});

test('a text of another key, a damaged one and a short one are no credentials', () => {
  const text = writeCredential('code', credential, secretBox);
  const damaged = text.slice(0, -5) + (text.at(-5) === 'A' ? 'B' : 'A') + text.slice(-4);
  const sealedOther = `svc_code_${secretBox.sealBytes(Buffer.from('short'), 'connectors.code').toString('base64url')}`;
  for (const wrong of [damaged, text.slice(0, 40), 'svc_code_', sealedOther])
    expect(readCredential('code', wrong, secretBox), wrong).toBeUndefined();
  expect(readCredential('code', text, createSecretBox(newKey()))).toBeUndefined();
});

test('a credential contains neither the account nor the grant in a readable form', () => {
  const text = writeCredential('code', credential, secretBox);
  const bytes = Buffer.from(text.slice('svc_code_'.length), 'base64url').toString('hex');
  expect(bytes).not.toContain(credential.accountId.replaceAll('-', ''));
  expect(bytes).not.toContain(credential.grantId.replaceAll('-', ''));
});
