// `npm start` with other commands: the services are given as words in SERVICES, such as "api:serves worker:crashes".
import { join } from 'node:path';
import { endProcess } from '@service/config';
import { supervise } from '@service/local';

const fixture = join(import.meta.dirname, 'service.fixture.ts');
const node = (name: string, ...parts: string[]) => ({ name, program: process.execPath, arguments: parts });
const port = Number(process.env.PORT);

try {
  await supervise({
    config: {
      port,
      hosts: ['localhost'],
      baseUrl: `http://localhost:${port}`,
      dataDir: process.env.DATA_DIR ?? '',
      databaseUrl: process.env.DATABASE_URL,
      databaseSessionUrl: undefined,
      encryptionKey: undefined,
      signUp: 'open',
      hasMailbox: false,
      hasMetricsToken: false,
      webhookAllowedCidrs: '127.0.0.0/8',
      webhookAllowHttp: 'true',
      retentionDays: 90,
      eventRetentionDays: undefined,
    },
    environment: process.env,
    commands: {
      build: undefined,
      migrate: node('The migration', '-e', process.env.MIGRATE ?? ''),
      services: (process.env.SERVICES ?? '').split(' ').map((service) => {
        const [name = '', ...traits] = service.split(':');
        return node(name, fixture, name, ...traits);
      }),
    },
    seed: async () => ({ email: 'demo@example.com', password: 'demo' }),
    log: (line) => console.log(line),
  });
  endProcess(0);
} catch (error) {
  console.error((error as Error).message);
  endProcess(1);
}
