// The part of a worker that updates contacts, in a small process of its own, because a drill kills a thousand of them. It begins when it is
// asked to. No person of the drill is suppressed, and no revenue is kept in step.
import { contactsModule, createContactWorker } from '@service/contacts';
import { openDatabase } from '@service/database';
import { createLog } from '@service/log';
import { marketingProviders } from '@service/marketing-providers';
import { answerParent } from '../../support/answering-process.ts';
import { createLoopbackConnections } from '../loopback-connections.ts';

const [url = '', encryptionKey = ''] = process.argv.slice(2);
const database = await openDatabase({ url, entities: contactsModule.entities, name: 'contact worker' });
await database.pool.query('select 1');
const connections = createLoopbackConnections(database, {
  encryptionKey,
  // The fakes of the drill take any number of calls.
  marketingProviders: marketingProviders.map((provider) => ({ ...provider, limits: {} })),
  senders: [],
});
const worker = createContactWorker({
  database,
  marketing: connections.marketing,
  readRevenue: async () => new Map(),
  readSuppressed: async () => new Set(),
  log: createLog('contact worker', { level: 'info' }),
  everyMs: 50,
});

answerParent(process.pid, () => worker.start());
