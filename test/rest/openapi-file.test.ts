// apps/api/openapi.json is the document of a service with the default settings. It is checked in, so that the diff of a change
// shows what changes for integrators.
import { environment, readConfig } from '@service/config';
import { expect, test } from 'vitest';
import { testApi } from '../support/api.ts';

const help = `apps/api/openapi.json differs from the document that the service answers.
If the API should not have changed, find the schema or route that changed it.
If it should have: run "npm run openapi", review the diff of the file as an integrator, and commit it.
`;

test('the document in the repository is the one that the service answers', async () => {
  const defaults = readConfig(
    environment.pick({
      API_RATE_LIMIT: true,
      API_RATE_WINDOW_SECONDS: true,
      IDEMPOTENCY_WINDOW_HOURS: true,
      WEBHOOK_RETRY_SCHEDULE_SECONDS: true,
    }),
    {},
  );
  await using service = await testApi({
    rateLimit: { requests: defaults.API_RATE_LIMIT, windowSeconds: defaults.API_RATE_WINDOW_SECONDS },
    options: {
      baseUrl: 'http://localhost:3000',
      idempotencyWindowHours: defaults.IDEMPOTENCY_WINDOW_HOURS,
      retryScheduleSeconds: defaults.WEBHOOK_RETRY_SCHEDULE_SECONDS,
    },
  });
  const response = await fetch(`http://localhost:${service.api.port}/api/v1/openapi.json`);
  const text = `${JSON.stringify(await response.json(), null, 2)}\n`;
  await expect(text, help).toMatchFileSnapshot('../../apps/api/openapi.json');
});
