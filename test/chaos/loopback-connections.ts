import { createConnections } from '@service/connections';
import type { Database } from '@service/database';
import {
  createOutboundAgent,
  createOutboundPolicy,
  createResolver,
  createSocketOpener,
} from '@service/outbound-http';
import { createSecretBox } from '@service/secrets';

type Options = Parameters<typeof createConnections>[0];

/** The connections module of a worker that calls the fakes of a drill. */
export function createLoopbackConnections(
  database: Database,
  {
    encryptionKey,
    ...providers
  }: Pick<Options, 'marketingProviders' | 'senders'> & { encryptionKey: string },
) {
  const policy = createOutboundPolicy({ allowedCidrs: ['127.0.0.0/8'], allowHttp: true });
  const resolver = createResolver();
  return createConnections({
    database,
    secretBox: createSecretBox(encryptionKey),
    ...providers,
    outbound: {
      http: createOutboundAgent({ policy, resolver }),
      openSocket: createSocketOpener({ policy, resolver }),
    },
    refuseUrl: async () => undefined,
  });
}
