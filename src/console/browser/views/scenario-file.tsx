/** The environment as a scenario file, and a scenario file as the environment. */
import { call, type Row, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { resetEnvironment } from '../live/undo.ts';
import { Buttons, calling } from '../parts/actions.tsx';
import { saveFile } from '../parts/copy.tsx';
import { act } from '../parts/notices.tsx';

/** `../../scenario-file.ts`, a file of its own since it brings a reader of YAML. */
interface ScenarioFiles {
  parse(text: string): unknown;
  writeScenario(scenario: object, file: string): string;
}

const loadScenarioFiles = (): Promise<ScenarioFiles> =>
  import(new URL('assets/scenario-file.js', document.baseURI).href);

const exportScenario = async (name: string): Promise<void> => {
  // All rows, so that the file needs no other; of the short form only the clock, which is there if it was moved.
  const [{ writeScenario }, state, { clock }] = await Promise.all([
    loadScenarioFiles(),
    call<Row>('GET', within(name, '/state')),
    call<Row>('GET', within(name, '/scenario')),
  ]);
  const scenario = { ...(clock !== undefined && { clock }), environments: { [name]: state } };
  saveFile(`${name}.yaml`, writeScenario(scenario, `${name}.yaml`));
};

/** @throws Error for a file that is no YAML or JSON, or holds no scenario */
const readFile = async (file: File, name: string): Promise<Row> => {
  const { parse } = await loadScenarioFiles();
  const value = parse(await file.text());
  if (typeof value !== 'object' || value === null) throw new Error(`${file.name} holds no scenario.`);
  // What `GET .../state` gives is a scenario's environment without its name.
  return 'environments' in value ? value : { environments: { [name]: value } };
};

export const ScenarioFile = () => {
  const environment = useEnvironment();
  const { name } = environment;
  const importScenario = async (file: File): Promise<void> => {
    const scenario = await act(readFile(file, name));
    if (!scenario) return;
    // What the file itself says is taken, even where what it extends has an environment of this name.
    const written = Object.keys(Object(scenario.environments));
    const from = written.includes(name) ? undefined : written[0];
    await resetEnvironment(environment, scenario, file.name, from);
  };
  return (
    <div class="cluster">
      <Buttons actions={[calling('Export', () => exportScenario(name), `${name}.yaml is saved.`)]} />
      <label class="button">
        Import
        <input
          type="file"
          class="unseen"
          accept=".yaml,.yml,.json"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            currentTarget.value = ''; // so that the same file can be chosen again
            if (file) importScenario(file);
          }}
        />
      </label>
    </div>
  );
};
