// Procedures of tools that join several procedures of modules.
import { router } from '@service/trpc';
import type { CallModules } from './call-modules.ts';
import { createDeliveryQueries } from './delivery-queries.ts';
import { createReportQueries } from './report-queries.ts';

export const createToolProcedures = (callModules: CallModules) =>
  router({ ...createReportQueries(callModules), ...createDeliveryQueries(callModules) });
