/** The environment that the page shows. All views share it, and the stream of events keeps it up to date. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { answer, here, type Kind, type MockSchemas } from './api.ts';
import { startClock } from './clock.ts';
import { useLive } from './loaded.tsx';

export type EnvironmentDetails = MockSchemas['Environment'];
export type UndoStep = MockSchemas['UndoPoint'];

interface ProviderProps {
  /** The element of `environments` to show. */
  readonly environment: EnvironmentDetails;
  readonly environments: readonly EnvironmentDetails[];
}

const useValues = ({ environment, environments }: ProviderProps) => {
  const details = useLive('', () => answer(here.GET(''))).value ?? environment;
  const faults = useLive('', () => answer(here.GET('/faults')), 'request').value?.faults ?? [];
  /** The steps that can be undone, oldest first. */
  const steps = useLive('', () => answer(here.GET('/undo-points')), 'change').value?.points ?? [];
  /** The kinds of rows, with their numbers. Empty until they are read. */
  const kinds = useLive('', () => answer(here.GET('/kinds')), 'change').value?.kinds ?? [];
  const ends = useLive('', () => answer(here.GET('/ends')), 'change').value;
  const clock = useMemo(() => startClock(details.clock), [details]);
  /** The environment's own clock, to which "Back to now" leads. */
  const home = useMemo(() => ends && startClock(ends.home), [ends]);
  return { name: environment.name, environments, details, clock, faults, steps, kinds, ends, home };
};

const Current = createContext<ReturnType<typeof useValues> | undefined>(undefined);

export const EnvironmentProvider = (props: ProviderProps & { readonly children: ComponentChildren }) => (
  <Current.Provider value={useValues(props)}>{props.children}</Current.Provider>
);

export const useEnvironment = () => {
  const environment = useContext(Current);
  if (!environment) throw new Error('There is no EnvironmentProvider around this component.');
  return environment;
};

/** The kind of rows with this name. */
export const useKind = (name: string): Kind | undefined =>
  useEnvironment().kinds.find(({ kind }) => kind === name);
