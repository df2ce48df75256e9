import type { Database } from '@service/database';
import { defineModule } from '@service/module';
import { createWebinarsRouter } from './authoring/router.ts';
import { createWebinarCommand } from './authoring/create-webinar-command.ts';
import { Branch, Segment } from './entities/segment.ts';
import { Interaction } from './entities/interaction.ts';
import { Session } from './entities/session.ts';
import { Webinar } from './entities/webinar.ts';
import { webinarErrors } from './errors.ts';
import { interactionsRouter } from './interaction/router.ts';
import { webinarMigrations } from './migrations/index.ts';
import { segmentsRouter } from './segment/router.ts';
import { keepSessionsAhead } from './session/sync-sessions.ts';
import { createSessionsRouter } from './session/router.ts';
import type { SessionObservers } from './session/change-session.ts';
import type { WindowSubscriber } from './authoring/webinars.ts';

interface RouterParts extends SessionObservers {
  windowSubscriber: WindowSubscriber;
}

export const webinarsModule = defineModule({
  name: 'webinars',
  entities: [Webinar, Session, Interaction, Segment, Branch],
  migrations: webinarMigrations,
  errors: webinarErrors,
  router: ({ subscriber, announce, windowSubscriber }: RouterParts) => ({
    webinars: createWebinarsRouter({ subscriber, announce, windowSubscriber }),
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
