import { type AccountReader, partialRow, type Query, statement } from '@service/database';
import { Branch, branchRow, segmentRow } from '../entities/segment.ts';
import type { Graph, GraphOutline } from './graph.ts';

const selectSegments = statement({
  name: 'webinars.select_segments_of_webinars',
  text: `
    select s.* from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, webinar_id)
    join webinars.segment s using (account_id, webinar_id)
    order by s.id`,
  row: segmentRow.columns,
});

const selectBranches = statement({
  name: 'webinars.select_branches_of_webinars',
  text: `
    select b.* from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, webinar_id)
    join webinars.branch b using (account_id, webinar_id)
    order by b.id`,
  row: branchRow.columns,
});

const namesInOutline = Object.keys(Branch.properties).filter((name) => name !== 'conditions');
const outlineRow = partialRow(Branch, namesInOutline as (keyof typeof Branch.properties)[]);

const selectOutlines = statement({
  name: 'webinars.select_branch_outlines',
  text: `
    select ${Object.keys(outlineRow.columns).join(', ')} from webinars.branch
    where account_id = $1 and webinar_id = $2
    order by id`,
  row: outlineRow.columns,
});

type Reader = Pick<AccountReader, 'query' | 'accountId'>;

/** Loads the graph of a webinar without the conditions, to find its problems. */
export async function loadOutline({ query, accountId }: Reader, webinarId: string): Promise<GraphOutline> {
  const [segmentRows, branchRows] = await Promise.all([
    query(selectSegments, [[accountId], [webinarId]]),
    query(selectOutlines, [accountId, webinarId]),
  ]);
  return {
    segments: segmentRows.map(segmentRow.toEntity),
    branches: branchRows.map(outlineRow.toEntity),
  };
}

interface WebinarKey {
  accountId: string;
  webinarId: string;
}

/** Loads the graphs of webinars in two statements. Each key must appear once. Returns them by webinar id. */
export async function loadGraphs(query: Query, keys: readonly WebinarKey[]): Promise<Map<string, Graph>> {
  const wanted = [keys.map(({ accountId }) => accountId), keys.map(({ webinarId }) => webinarId)];
  const [segmentRows, branchRows] = await Promise.all([
    query(selectSegments, wanted),
    query(selectBranches, wanted),
  ]);
  const segments = byWebinar(segmentRows.map(segmentRow.toEntity));
  const branches = byWebinar(branchRows.map(branchRow.toEntity));
  return new Map(
    keys.map(({ webinarId }) => [
      webinarId,
      { segments: segments.get(webinarId) ?? [], branches: branches.get(webinarId) ?? [] },
    ]),
  );
}

const byWebinar = <Row extends { webinarId: string }>(rows: readonly Row[]): Map<string, Row[]> =>
  Map.groupBy(rows, ({ webinarId }) => webinarId);
