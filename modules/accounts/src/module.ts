import { accountOption, defineModule, type AccountCommandParts, type Command } from '@service/module';
import type { Accounts } from './create-accounts.ts';
import { deleteEndedSignInAttempts, deleteExpiredSessions } from './delete-expired.ts';
import { hasDuePurge, purgeDeletedWorkspaces, type PurgeRows } from './delete-workspace.ts';
import { deleteExpiredLinks } from './mails/links.ts';
import { createMemberMailTask, type MemberMailParts } from './mails/send-member-mail.ts';
import type { MembershipSubscriber } from './members.ts';
import { accountMigrations, accountPartitionedTables } from './migrations/index.ts';
import { createAccountsRouter } from './router.ts';
import type { MemberStreams } from './stream/streams.ts';
import { switchOffTwoFactor } from './two-factor.ts';
import type { Suspension } from './suspension.ts';

interface AdminParts extends AccountCommandParts, Suspension {
  accounts: Pick<Accounts, 'createAccount'>;
}

interface RouterParts {
  streams: MemberStreams;
  membershipSubscriber: MembershipSubscriber;
  suspendAccount: Suspension['suspendAccount'];
  accounts: Pick<Accounts, 'memberMails' | 'signUp' | 'tokenOf'>;
}

interface HttpParts {
  accounts: Pick<Accounts, 'handler' | 'sessionHandler'>;
  streams: MemberStreams;
}

const commands: Record<string, Command<AdminParts>> = {
  'create-account': {
    summary: 'Creates a workspace with its owner. Prints {accountId, userId}.',
    options: {
      name: { type: 'text', hint: 'NAME', required: true },
      'owner-email': { type: 'text', hint: 'EMAIL', required: true },
      'owner-password': { type: 'text', hint: 'PASSWORD', required: true },
    },
    run: ({ accounts }, values) =>
      accounts.createAccount({
        name: String(values['name']),
        ownerEmail: String(values['owner-email']),
        ownerPassword: String(values['owner-password']),
      }),
  },
  'suspend-account': {
    summary:
      'Refuses its keys with 403, makes its dashboard read-only and parks its deliveries; rooms stay open and payments are recorded. Prints {accountId, suspendedAt}.',
    options: { account: accountOption },
    run: async ({ requireAccount, write, suspendAccount }, values) =>
      write(await requireAccount(values), suspendAccount),
  },
  'switch-off-two-factor': switchOffTwoFactor,
  'resume-account': {
    summary: 'Ends the suspension; waiting deliveries are sent. Prints {accountId, suspendedAt}.',
    options: { account: accountOption },
    run: async ({ requireAccount, write, resumeAccount }, values) =>
      write(await requireAccount(values), resumeAccount),
  },
};

export const accountsModule = defineModule({
  name: 'accounts',
  migrations: accountMigrations,
  partitions: accountPartitionedTables,
  router: (parts: RouterParts) => ({ accounts: createAccountsRouter(parts) }),
  http: ({ accounts, streams }: HttpParts) => ({
    mount(routes) {
      routes.use('/api/auth', accounts.handler);
      routes.get('/api/session', accounts.sessionHandler);
    },
    close: () => void streams.close(),
  }),
  repeats: ({ database, purgers }: Pick<MemberMailParts, 'database'> & { purgers: readonly PurgeRows[] }) => [
    {
      name: 'purge_deleted_workspaces',
      everyMs: 2000,
      async run(now, { log, signal, onFailure }) {
        const deleted = await purgeDeletedWorkspaces(database.query, now, { purgers, signal, onFailure });
        if (deleted > 0) log.info({ deleted }, 'Rows of deleted workspaces are removed');
      },
    },
  ],
  workConditions: { purge_deleted_workspaces: hasDuePurge },
  jobs: ({ database, ...parts }: MemberMailParts) => ({
    tasks: [createMemberMailTask({ database, ...parts })],
    crons: [
      {
        name: 'accounts.delete_expired_links',
        pattern: '23 * * * *',
        async run(_now, { log }) {
          const deleted = await deleteExpiredLinks(database.query);
          log.info({ deleted }, 'Expired links of mails are deleted');
        },
      },
      {
        name: 'accounts.delete_ended_sign_in_attempts',
        pattern: '13 * * * *',
        async run(_now, { log }) {
          const deleted = await deleteEndedSignInAttempts(database);
          log.info({ deleted }, 'Ended sign-in windows are deleted');
        },
      },
      {
        name: 'accounts.delete_expired_sessions',
        pattern: '43 * * * *',
        async run(now, { log }) {
          const deleted = await deleteExpiredSessions(database, now);
          log.info({ deleted }, 'Expired sign-in sessions are deleted');
        },
      },
    ],
  }),
  commands,
});
