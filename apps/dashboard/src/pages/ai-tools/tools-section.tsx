import { Button, Table, Text } from '@mantine/core';
import { IconFilterOff } from '@service/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ChoiceFilter } from '../../components/choice-filter.tsx';
import { CopyAction } from '../../components/copy.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, SearchFilter } from '../../components/filter-bar.tsx';
import { ListResult } from '../../components/load-more.tsx';
import { Section } from '../../components/section.tsx';
import { Status, type WordStyle } from '../../components/status.tsx';
import { TableCard } from '../../components/table-card.tsx';
import { formatPlural } from '../../format.ts';
import { useTRPC, type McpTool } from '../../trpc.ts';
import styles from './ai-tools.module.css';
import { useAiToolsSearch, type AiToolsSearch } from './search.ts';

const columns = ['Tool', 'Purpose', 'Access', 'Scopes'];
const noFilters = { q: undefined, access: undefined, scope: undefined };

const accessFilters = [
  { value: 'read', label: 'Reads' },
  { value: 'write', label: 'Changes' },
] as const;

/** All tools with the scopes that each needs. A client sees those that its scopes allow. */
export function ToolsSection() {
  const trpc = useTRPC();
  const { search, show } = useAiToolsSearch();
  // The tools change with the service only.
  const { data, error, refetch } = useQuery(trpc.mcp.tools.queryOptions(undefined, { staleTime: Infinity }));
  const tools = data?.data;
  // The scope of the URL is a choice also while the tools are loading.
  const scopes = new Set(
    [...(tools ?? []), { scopes: search.scope ? [search.scope] : [] }].flatMap((tool) => tool.scopes),
  );
  const shown = tools?.filter((tool) => isMatch(tool, search));
  const isFiltered = Object.keys(noFilters).some(
    (name) => search[name as keyof typeof noFilters] !== undefined,
  );
  const [isOpen, setOpen] = useState(isFiltered);
  return (
    <Section
      title="What an assistant can do"
      text="A client sees the tools that its scopes allow. Before a tool that changes something, most clients ask you."
    >
      <Questions />
      <details
        className={styles['fold']}
        open={isOpen}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary>{tools ? `All ${formatPlural(tools.length, 'tool')}` : 'All tools'}</summary>
        <FilterBar>
          <SearchFilter
            label="Search tools"
            placeholder="webhook"
            value={search.q}
            onChange={(q) => show({ q })}
          />
          <ChoiceFilter
            label="Access"
            choices={accessFilters}
            value={search.access}
            onChange={(access) => show({ access })}
          />
          <ChoiceFilter
            label="Scope"
            choices={[...scopes].map((value) => ({ value, label: value }))}
            value={search.scope}
            onChange={(scope) => show({ scope })}
          />
        </FilterBar>
        <ListResult
          items={shown}
          error={error}
          refetch={refetch}
          empty={
            <EmptyState
              icon={IconFilterOff}
              title="No tools match these filters"
              action={<Button onClick={() => show(noFilters)}>Clear filters</Button>}
            >
              All {formatPlural(tools?.length ?? 0, 'tool')} were searched.
            </EmptyState>
          }
        >
          <TableCard
            name="Tools"
            columns={columns}
            minWidth={820}
            total={shown && formatPlural(shown.length, 'tool')}
          >
            {shown?.map((tool) => (
              <ToolRow key={tool.name} tool={tool} />
            ))}
          </TableCard>
        </ListResult>
      </details>
    </Section>
  );
}

const ToolRow = ({ tool: { name, title, summary, scopes, ...kind } }: { tool: McpTool }) => (
  <Table.Tr>
    <Table.Td>
      <Text inherit fw={550}>
        {title}
      </Text>
      <code>{name}</code>
    </Table.Td>
    <Table.Td maw={420}>{summary}</Table.Td>
    <Table.Td>
      <Status {...accessOf(kind)} />
    </Table.Td>
    <Table.Td>
      <span className={styles['scopes']}>
        {scopes.length === 0 ? 'None' : scopes.map((scope) => <code key={scope}>{scope}</code>)}
      </span>
    </Table.Td>
  </Table.Tr>
);

function accessOf({ isWrite, isDestructive }: Pick<McpTool, 'isWrite' | 'isDestructive'>): WordStyle {
  if (!isWrite) return { tone: 'quiet', isHollow: true, word: 'Reads' };
  return isDestructive
    ? { tone: 'warn', word: 'Overwrites or removes' }
    : { tone: 'info', word: 'Adds or sends' };
}

function isMatch(tool: McpTool, { q = '', access, scope }: AiToolsSearch): boolean {
  if (access !== undefined && tool.isWrite !== (access === 'write')) return false;
  if (scope !== undefined && !tool.scopes.includes(scope)) return false;
  return `${tool.title} ${tool.name} ${tool.summary}`.toLowerCase().includes(q.toLowerCase());
}

/** Each is played against the tools, in test/mcp/dialogues.test.ts and webinar-dialogues.test.ts. */
const questions = [
  'Why did the webhook for ada@example.com not arrive?',
  'Send every webhook again that has failed since noon.',
  'Set up next Tuesday’s webinar like last week’s, and send its registrations to our CRM.',
  'Who clicked the offer and did not buy?',
  'How did last week’s webinar do?',
  'What are the results of the poll, and what was said in the chat?',
  'Which API calls failed today?',
];

/** Questions to try first. */
const Questions = () => (
  <ul className={styles['questions']} aria-label="Questions to ask">
    {questions.map((question) => (
      <li key={question}>
        <span>{question}</span>
        <CopyAction text={question} label={`Copy: ${question}`} />
      </li>
    ))}
  </ul>
);
