import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Postgres, the API, workers and a browser share the machine with the tests.
    maxWorkers: 2,
    projects: [
      {
        test: { name: 'unit', include: ['packages/**/*.test.ts', 'modules/**/*.test.ts', 'apps/**/*.test.ts'], testTimeout: 20_000 },
      },
      {
        test: {
          name: 'integration',
          include: ['test/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
