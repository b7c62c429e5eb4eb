/** The whole page: which environment, which view, and what surrounds them. */
import { useEffect, useState } from 'preact/hooks';
import { Frame } from './frame.tsx';
import { call, type Schemas, tokenWanted } from './live/api.ts';
import { EnvironmentProvider } from './live/environment.tsx';
import { useStore } from './live/store.ts';
import { Notices } from './parts/notices.tsx';
import { addressOf, route } from './route.ts';
import { TokenGate } from './token-gate.tsx';
import { findView } from './views/views.tsx';

type Environments = readonly Schemas['Environment'][];

export const App = () => {
  const isTokenWanted = useStore(tokenWanted);
  const { environment: wanted, view: viewId } = useStore(route);
  const { environments, problem, refresh } = useEnvironments(isTokenWanted);
  const environment =
    environments?.find(({ name, id }) => name === wanted || id === wanted) ?? environments?.[0];
  const view = findView(viewId);
  if (isTokenWanted) return <TokenGate />;
  if (problem !== undefined) return <p class="gate problem">{problem}</p>;
  if (!environments) return null;
  if (!environment || !view)
    return <p class="gate">There is no environment left. Restart the mock, or make one.</p>;
  return (
    <>
      <EnvironmentProvider key={environment.name} name={environment.name} onRoster={refresh}>
        <Frame
          environments={environments.map(({ name }) => name)}
          refresh={refresh}
          view={view}
          go={(next) => location.assign(addressOf({ environment: next, view: view.id }))}
        >
          {view.draw()}
        </Frame>
      </EnvironmentProvider>
      <Notices />
    </>
  );
};

/** All environments; read again when the token has been given. */
const useEnvironments = (isTokenWanted: boolean) => {
  const [environments, setEnvironments] = useState<Environments>();
  const [problem, setProblem] = useState<string>();
  const refresh = (): void => {
    call<{ environments: Environments }>('GET', 'environments').then(
      (answer) => {
        setEnvironments(answer.environments);
        setProblem(undefined);
      },
      (error: Error) => setProblem(error.message),
    );
  };
  useEffect(() => {
    if (!isTokenWanted) refresh();
  }, [isTokenWanted]);
  return { environments, problem, refresh };
};
