import type { ChangeAnnouncer } from '@service/changes';
import { createConnections, type Connections } from '@service/connections';
import type { Database } from '@service/database';
import { mailSenders } from '@service/mail-senders';
import { marketingProviders } from '@service/marketing-providers';
import {
  checkDestination,
  createOutboundAgent,
  createOutboundPolicy,
  createResolver,
  createSocketOpener,
} from '@service/outbound-http';
import type { SecretBox } from '@service/secrets';

interface ConnectionOptions {
  database: Database;
  secretBox: SecretBox;
  /** Undefined: nothing is announced. */
  changes?: ChangeAnnouncer;
  allowedCidrs: string[];
  allowHttp: boolean;
  dnsServers?: readonly string[] | undefined;
}

export interface OpenedConnections {
  connections: Connections;
  /** Ends the calls under way. */
  close(): Promise<void>;
}

/** The e-mail providers and marketing tools of accounts, which are called by the outbound rules with connections of their own. */
export function openConnections(options: ConnectionOptions): OpenedConnections {
  const { database, secretBox, changes, allowedCidrs, allowHttp, dnsServers } = options;
  const policy = createOutboundPolicy({ allowedCidrs, allowHttp });
  const resolver = createResolver();
  const agent = createOutboundAgent({ policy, resolver });
  const connections = createConnections({
    database,
    secretBox,
    senders: mailSenders,
    marketingProviders,
    outbound: { http: agent, openSocket: createSocketOpener({ policy, resolver }) },
    async refuseUrl(url) {
      const verdict = await checkDestination(url, { policy, resolver });
      return verdict.ok ? undefined : verdict.message;
    },
    ...(changes && { changes }),
    dnsServers,
  });
  return { connections, close: () => agent.destroy() };
}
