// A process that finds no-shows like a worker. Arguments: the database and the time. Before it commits the fourth page, it prints
// a line and stops.
import { serviceEntities } from '@service/composition';
import { openDatabase } from '@service/database';
import { runSessionClock, type ClockSubscriber } from '@service/attendees';

const [url = '', now = ''] = process.argv.slice(2);
const database = await openDatabase({ url, entities: serviceEntities, name: 'no-show-process' });
let chunks = 0;

const subscriber: ClockSubscriber = {
  findInterest: async () => ({
    minutes: [],
    percents: [],
    async onEvents() {
      chunks += 1;
      if (chunks < 4) return;
      process.send!('stuck');
      await new Promise(() => {});
    },
  }),
  onSessions: async () => undefined,
};

process.on('disconnect', () => process.exit(0));
await runSessionClock(database, { now: new Date(now), subscriber });
