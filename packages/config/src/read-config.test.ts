import { expect, test } from 'vitest';
import { describeConfig, readConfig } from './read-config.ts';
import { environment } from './environment.ts';

const needed = {
  DATABASE_URL: 'postgres://app:secret@127.0.0.1:5432/app',
  BASE_URL: 'http://localhost:3000/',
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
};

test('unset variables have their defaults', () => {
  const config = readConfig(environment, needed);
  expect(config).toMatchObject({
    PORT: 3000,
    DATA_DIR: '.data',
    WEBHOOK_TIMEOUT_MS: 10_000,
    WEBHOOK_ALLOWED_CIDRS: [],
    WEBHOOK_ALLOW_HTTP: false,
    RETENTION_DAYS: 90,
    BASE_URL: 'http://localhost:3000',
  });
  expect(config.WEBHOOK_RETRY_SCHEDULE_SECONDS).toEqual([
    0, 5, 30, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
  ]);
});

test('one error names every invalid variable and contains no value', () => {
  const read = () =>
    readConfig(environment, {
      ...needed,
      PORT: '99999',
      WEBHOOK_ALLOW_HTTP: 'perhaps',
      ENCRYPTION_KEY: 'tooshort',
      DATABASE_URL: '',
    });
  expect(read).toThrow(
    /^(?=[^]*PORT:)(?=[^]*ENCRYPTION_KEY: 32)(?=[^]*DATABASE_URL: is required)(?=[^]*WEBHOOK_ALLOW_HTTP)/,
  );
  expect(read).not.toThrow(/tooshort/);
});

test('a retry schedule that is not a list of seconds is refused', () => {
  for (const bad of ['soon', '1,x', '-5', ',']) {
    expect(() => readConfig(environment, { ...needed, WEBHOOK_RETRY_SCHEDULE_SECONDS: bad })).toThrow(
      /RETRY_SCHEDULE/,
    );
  }
});

test('an origin is a scheme, a host and a port, and other texts are refused', () => {
  const origins = (text: string) =>
    readConfig(environment, { ...needed, CORS_ALLOWED_ORIGINS: text }).CORS_ALLOWED_ORIGINS;
  expect(origins('https://App.example.com/, http://localhost:5173')).toEqual([
    'https://app.example.com',
    'http://localhost:5173',
  ]);
  for (const bad of [
    '*',
    'app.example.com',
    'https://app.example.com/path',
    'ftp://app.example.com',
    'null',
  ]) {
    expect(() => origins(bad), bad).toThrow(/CORS_ALLOWED_ORIGINS/);
  }
});

test('a description shows secrets as set or unset and hides the password of a URL', () => {
  const described = JSON.stringify(describeConfig(readConfig(environment, needed)));
  expect(described).not.toMatch(/secret@|xxxx|BwcHBw/);
  expect(described).toContain('"ENCRYPTION_KEY":"set"');
  expect(described).toContain('postgres://***@127.0.0.1:5432/app');
});

test('by default invited people may sign up, all interfaces are listened on and webhooks reach no private address', () => {
  expect(readConfig(environment, needed)).toMatchObject({
    SIGN_UP: 'invited',
    HOST: [],
    WEBHOOK_ALLOWED_CIDRS: [],
  });
  expect(readConfig(environment, { ...needed, HOST: ' 127.0.0.1, fe80::1%eth0 ,name.example' }).HOST).toEqual(
    ['127.0.0.1', 'fe80::1%eth0', 'name.example'],
  );
  const token = 'a token of the metrics'.replaceAll(' ', '-');
  const described = JSON.stringify(
    describeConfig(readConfig(environment, { ...needed, METRICS_TOKEN: token })),
  );
  expect(described).toContain('"METRICS_TOKEN":"set"');
});
