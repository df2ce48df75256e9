import type { AccountReader } from '@service/database';
import type { HttpDoor } from '@service/module';
import { createCsvDoor } from '@service/rest';
import { parseInput } from '@service/trpc';
import { z } from 'zod';
import { resolveTimes, type TimeZoneReader } from './days.ts';
import { exportEvents } from './export-events.ts';
import { eventFilters } from './schemas.ts';

type DoorParts = Parameters<typeof createCsvDoor>[0];

export interface ExportParts extends DoorParts {
  readTimeZone: TimeZoneReader;
}

const ExportInput = z.strictObject({
  workspace: z.uuid(),
  ...eventFilters,
  attributed: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
});

/** The ledger as a file: `GET /api/revenue/export.csv` for signed-in members. */
export const createExportDoor = ({ readTimeZone, ...parts }: ExportParts): HttpDoor =>
  createCsvDoor(parts, {
    path: '/api/revenue/export.csv',
    async open({ query }, { principal: { accountId }, now }) {
      const { workspace: _, ...given } = parseInput(ExportInput, query);
      const account = parts.database.ofAccount(accountId);
      const filters = await resolveTimes(given, () => readTimeZone({ query: account.query, accountId }));
      const createReader = (): AccountReader => ({
        em: account.fork(),
        query: account.query,
        accountId,
        now,
      });
      return { name: 'revenue', text: exportEvents(createReader, filters) };
    },
  });
