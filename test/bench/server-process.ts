// A server to load, in a process of its own: the service, the service without Activity, or the hand-written ceiling.
import { randomBytes } from 'node:crypto';
import { startApi } from '@service/api';
import { createLog } from '@service/log';
import { answerParent } from '../support/answering-process.ts';
import { startMcpCeiling } from './mcp-ceiling.ts';
import { startReadCeiling } from './read-ceiling.ts';
import type { ServerKind } from './server.ts';

const kind = process.argv[2] as ServerKind;
const databaseUrl = process.argv[3]!;

answerParent(await start(), () => undefined);

function start(): Promise<number> {
  if (kind === 'ceiling') return startReadCeiling(databaseUrl);
  if (kind === 'mcp-ceiling') return startMcpCeiling(databaseUrl);
  return kind === 'mcp-constant' ? startMcpCeiling(undefined) : startService();
}

async function startService(): Promise<number> {
  const api = await startApi({
    port: 0,
    databaseUrl,
    baseUrl: 'http://localhost',
    encryptionKey: randomBytes(32).toString('base64'),
    encryptionKeysOld: [],
    rateLimit: { requests: 1_000_000_000, windowSeconds: 60 },
    callLimit: { perSession: 1_000_000_000, perAccount: 1_000_000_000, windowSeconds: 60 },
    idempotencyWindowHours: 24,
    webhookAllowedCidrs: ['127.0.0.0/8'],
    webhookAllowHttp: true,
    corsAllowedOrigins: [],
    retryScheduleSeconds: [0, 5, 30],
    trustedProxies: [],
    log: createLog('bench', { level: 'warn' }),
  });
  if (kind === 'service-without-activity') api.service.activity.record = () => undefined;
  return api.port;
}
