import { dataOf, memberQuery, pageOf, router } from '@service/trpc';
import { readTrend } from '../registration/count-registrations.ts';
import { readRevenueFor, type RevenueReader } from '../registration/revenue-reader.ts';
import { getPerson, listPersonEvents } from './get-person.ts';
import { listPeople } from './list-people.ts';
import {
  ListPeopleInput,
  ListPersonEventsInput,
  PersonDetailOutput,
  PersonEventOutput,
  PersonInput,
  PersonOutput,
  TrendOutput,
} from './schemas.ts';

/** The people of the dashboard. They have the permissions of registrations. */
export const createPeopleRouter = ({ readRevenue }: { readRevenue: RevenueReader }) =>
  router({
    list: memberQuery()
      .input(ListPeopleInput)
      .output(pageOf(PersonOutput))
      .query(({ ctx: { reader }, input }) => listPeople(reader, input)),

    get: memberQuery()
      .input(PersonInput)
      .output(dataOf(PersonDetailOutput))
      .query(async ({ ctx: { reader, principal }, input }) => ({
        data: await getPerson(reader, input, readRevenueFor(principal, readRevenue)),
      })),

    events: memberQuery({ mayBeLate: true })
      .input(ListPersonEventsInput)
      .output(pageOf(PersonEventOutput))
      .query(({ ctx: { reader, principal }, input }) => listPersonEvents(reader, input, principal)),

    /** For the first page of a workspace. */
    trend: memberQuery({ mayBeLate: true })
      .output(dataOf(TrendOutput))
      .query(async ({ ctx: { reader } }) => ({ data: await readTrend(reader) })),
  });
