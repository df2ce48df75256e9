// The mail worker of the service in a small process of its own, because a drill kills a thousand of them. It begins when it is asked to.
import { createJoinLinks } from '@service/attendees';
import { openDatabase } from '@service/database';
import { createLog } from '@service/log';
import { mailSenders } from '@service/mail-senders';
import { createMailWorker, createUnsubscribeLinks, mailsModule } from '@service/mails';
import { answerParent } from '../../support/answering-process.ts';
import { createLoopbackConnections } from '../loopback-connections.ts';

const [url = '', encryptionKey = ''] = process.argv.slice(2);
const baseUrl = 'http://localhost';
const database = await openDatabase({ url, entities: mailsModule.entities, name: 'mail worker' });
await database.pool.query('select 1');
const connections = createLoopbackConnections(database, {
  encryptionKey,
  marketingProviders: [],
  senders: mailSenders,
});
const links = { key: encryptionKey, baseUrl };
const worker = createMailWorker({
  database,
  connections,
  mailer: undefined,
  joinLinks: createJoinLinks(links),
  unsubscribeLinks: createUnsubscribeLinks(links),
  baseUrl,
  // The webinars of the drill have no rules, and their senders have names.
  readWorkspaceNames: async () => new Map(),
  readRuleMails: async () => new Map(),
  readMemberAddresses: async () => [],
  log: createLog('mail worker', { level: 'error' }),
  everyMs: 100,
});

answerParent(process.pid, () => worker.start());
