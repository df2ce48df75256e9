import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createSecret, signBody, signingKeys, signStandard } from './index.ts';

test("GitHub's known answer for an HMAC-SHA256 of a body", () => {
  // docs.github.com, "Validating webhook deliveries", testing the webhook payload validation.
  expect(signBody("It's a Secret to Everybody", 'Hello, World!')).toBe(
    'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  );
});

test("Convoy's known answer for a simple hex signature", () => {
  expect(signBody('convoy-webhook-secret', '{"event":"charge.success","amount":1000,"currency":"NGN"}')).toBe(
    'sha256=244449b7f48cbc2709060c9dcdc2b3aa47a78f540430579015c579fb12defbb4',
  );
});

test("Standard Webhooks' known answer", () => {
  const keys = signingKeys('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestampSeconds: 1_614_265_330,
    body: '{"test": 2432232314}',
  };
  expect(signStandard(keys.standard, message)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('openssl computes the same signature from the whole secret string', () => {
  const secret = createSecret();
  const body = '{"name":"Zoë — ✓"}';
  const output = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret], { input: body }).toString();
  expect(signBody(signingKeys(secret).body, body)).toBe(`sha256=${output.trim().split(/\s+/).at(-1)}`);
});

test('secrets are unique and contain 33 random bytes without padding', () => {
  const secret = createSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{44}$/);
  expect(createSecret()).not.toBe(secret);
});
