import { ChoiceFilter } from '../../components/choice-filter.tsx';
import { useNamedSources } from '../source/use-source-names.ts';

interface EndpointFilterProps {
  /** Undefined for the endpoints of all webinars. */
  webinarId: string | undefined;
  /** The id of a rule or subscription. */
  endpoint: string | undefined;
  onChange: (endpoint: string | undefined) => void;
}

/** A rule or subscription of the webinar or of the workspace. */
export function EndpointFilter({ webinarId, endpoint, onChange }: EndpointFilterProps) {
  const names = useNamedSources(webinarId).map(({ id, name }) => ({ value: id, label: name }));
  const isUnknown = endpoint !== undefined && !names.some(({ value }) => value === endpoint);
  return (
    <ChoiceFilter
      label="Endpoint"
      searchable={names.length > 8}
      nothingFoundMessage="No such endpoint"
      choices={[...names, ...(isUnknown ? [{ value: endpoint, label: `…${endpoint.slice(-12)}` }] : [])]}
      value={endpoint}
      onChange={onChange}
    />
  );
}
