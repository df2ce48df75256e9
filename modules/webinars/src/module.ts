import type { Database } from '@service/database';
import { defineModule } from '@service/module';
import { createWebinarsRouter } from './authoring/router.ts';
import { createWebinarCommand } from './authoring/create-webinar-command.ts';
import { Branch } from './entities/branch.ts';
import { Interaction } from './entities/interaction.ts';
import { Segment } from './entities/segment.ts';
import { Session } from './entities/session.ts';
import { Webinar } from './entities/webinar.ts';
import { webinarErrors } from './errors.ts';
import { interactionsRouter } from './interaction/router.ts';
import { webinarMigrations } from './migrations/index.ts';
import { segmentsRouter } from './segment/router.ts';
import { keepSessionsAhead } from './session/keep-sessions-ahead.ts';
import { createSessionsRouter } from './session/router.ts';
import type { SessionObservers } from './session/session-subscriber.ts';
import type { WindowSubscriber } from './webinar/window-subscriber.ts';

interface RouterParts extends SessionObservers {
  windowSubscriber: WindowSubscriber;
}

export const webinarsModule = defineModule({
  name: 'webinars',
  entities: [Webinar, Session, Interaction, Segment, Branch],
  migrations: webinarMigrations,
  errors: webinarErrors,
  router: ({ subscriber, announce, windowSubscriber }: RouterParts) => ({
    webinars: createWebinarsRouter(windowSubscriber),
    segments: segmentsRouter,
    sessions: createSessionsRouter({ subscriber, announce }),
    interactions: interactionsRouter,
  }),
  jobs: ({ database }: { database: Database }) => ({
    crons: [
      {
        name: 'webinars.keep_sessions_ahead',
        pattern: '7 * * * *',
        async run(now, { log }) {
          const made = await keepSessionsAhead(database, now);
          log.info({ made }, 'Coming sessions are made');
        },
      },
    ],
  }),
  commands: { 'create-webinar': createWebinarCommand },
});
