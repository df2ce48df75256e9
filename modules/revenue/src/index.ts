export { revenueModule } from './module.ts';
export { readRegistrationRevenue } from './report/registration-revenue.ts';
