import { defineConfig } from 'vitest/config';

// A page takes longer than the second of vitest's default when other tests use the machine.
const patient = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 15_000 } } };
const database = 'test/support/global-setup.ts';
const hashes = 'test/support/remember-hashes.ts';

export default defineConfig({
  test: {
    // Three on two cores: a test spends a third of its time on waiting for Postgres, pages and timers.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/**/*.test.ts', 'modules/**/*.test.ts', 'apps/**/*.test.ts'],
          // A process for each of 270 files takes twice the CPU of the tests in them.
          isolate: false,
          restoreMocks: true,
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/**/*.test.ts'],
          exclude: ['test/browser/**', '**/node_modules/**'],
          globalSetup: [database],
          setupFiles: [hashes, 'test/support/check-statements.ts'],
          // As in the image. Otherwise trpc-to-openapi makes a document for each API, to check its routes.
          env: { NODE_ENV: 'production' },
          // All files import nearly all modules, which takes a second of CPU: once for each of the workers, not for each file.
          isolate: false,
          // A file that replaces something global must not leave it to the next one.
          restoreMocks: true,
          ...patient,
        },
      },
      ...(process.env['LOOK'] === undefined
        ? []
        : [
            {
              test: {
                name: 'look',
                include: ['test/look/**/*.look.ts'],
                globalSetup: [database, 'test/support/browser-setup.ts'],
                ...patient,
              },
            },
          ]),
      ...(process.env['JUDGES'] === undefined
        ? []
        : [
            {
              test: {
                name: 'judges',
                include: ['test/judges/**/*.judge.ts'],
                globalSetup: [database],
                ...patient,
              },
            },
          ]),
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          // One browser and one import of the modules for each of the workers.
          isolate: false,
          restoreMocks: true,
          globalSetup: [database, 'test/support/browser-setup.ts'],
          setupFiles: [hashes],
          ...patient,
        },
      },
    ],
  },
});
