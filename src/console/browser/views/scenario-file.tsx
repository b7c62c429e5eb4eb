/** Exports the environment as a scenario file, and imports one. The server writes and reads the files. */
import { useState } from 'preact/hooks';
import { send, within } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { actWithUndo } from '../live/undo.ts';
import { Buttons } from '../parts/actions.tsx';
import { saveFile } from '../parts/copy.tsx';
import { act, createProgress } from '../parts/notices.tsx';

const inMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Reads a whole reply. Reports the progress at most twice a second. */
const readAll = async ({ body }: Response, onBytes: (bytes: number) => void): Promise<Blob> => {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = body?.getReader();
  let [bytes, told] = [0, performance.now()];
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    parts.push(part.value);
    bytes += part.value.length;
    if (performance.now() - told < 500) continue;
    told = performance.now();
    onBytes(bytes);
  }
  return new Blob(parts);
};

/** @param isRelative writes times as distances from now, so that a fixture stays fresh */
const exportScenario = async (name: string, isRelative: boolean): Promise<void> => {
  const file = `${name}.yaml`;
  const say = createProgress();
  try {
    say(`Writing ${file}…`);
    const query = new URLSearchParams({ format: 'yaml', ...(isRelative && { relative: 'true' }) });
    const response = await send('GET', within(name, `/scenario?${query}`));
    saveFile(file, await readAll(response, (bytes) => say(`Writing ${file}: ${inMegabytes(bytes)} so far…`)));
  } finally {
    say();
  }
};

const importScenario = async (name: string, file: File): Promise<unknown> => {
  const say = createProgress();
  let from = name;
  const put = async (): Promise<void> => {
    try {
      say(`Reading ${file.name}, ${inMegabytes(file.size)}…`);
      const headers = { 'Content-Type': 'application/yaml' };
      const response = await send('PUT', within(name, '/scenario'), { body: file, headers });
      ({ from } = await response.json());
    } finally {
      say();
    }
  };
  return actWithUndo(
    name,
    put,
    () =>
      `${name} now has the scenario ${file.name}${from === name ? '' : `, from its environment ${from}`}.`,
  );
};

export const ScenarioFile = () => {
  const { name } = useEnvironment();
  const [isRelative, setRelative] = useState(false);
  const save = () => act(() => exportScenario(name, isRelative), `${name}.yaml was saved.`);
  return (
    <div class="card cluster file">
      <Buttons actions={[{ label: 'Export', choose: save }]} />
      <label class="button">
        Import
        <input
          type="file"
          class="unseen"
          accept=".yaml,.yml,.json"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            currentTarget.value = ''; // so that the same file can be chosen again
            if (file) importScenario(name, file);
          }}
        />
      </label>
      <label class="check">
        <input type="checkbox" checked={isRelative} onChange={() => setRelative(!isRelative)} />
        Export times as distances from now, for a fixture that stays fresh
      </label>
    </div>
  );
};
