import { createTestAccount, testApi, type TestAccount, type TestApi } from '../support/api.ts';
import { openDashboard, type DashboardClient } from '../support/dashboard.ts';
import { registerClient } from './oauth-client.ts';

/** A workspace, and a client that no member has allowed yet. */
export interface ConnectorsWorld {
  service: TestApi;
  owner: TestAccount;
  /** As the owner sees it. */
  dashboard: DashboardClient;
  clientId: string;
}

export async function createConnectorsWorld(): Promise<ConnectorsWorld> {
  const service = await testApi();
  const owner = await createTestAccount(service);
  const dashboard = await openDashboard(service, owner);
  return { service, owner, dashboard, clientId: await registerClient(service) };
}
