/** A service of two operations and one noun. The engine runs it as it runs the service of this package. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { readDocument, toContract } from '../../../src/engine/contract/load.ts';
import { packageRoot } from '../../../src/engine/contract/package-root.ts';
import { loadControlContract } from '../../../src/engine/control/control-document.ts';
import { toTimestamp } from '../../../src/engine/core/clock.ts';
import { absolute, type Moment, resolve } from '../../../src/engine/core/moment.ts';
import { allRows, createTable, putRow, type Table } from '../../../src/engine/core/table.ts';
import type { EngineEnv } from '../../../src/engine/operation.ts';
import {
  contractOf,
  extend,
  type FormOf,
  scenarioSchema,
  TOKEN,
} from '../../../src/engine/scenario/schema.ts';
import { clients, type Section } from '../../../src/engine/scenario/section.ts';
import { SCENARIO_FORMATS, shift } from '../../../src/engine/scenario/times.ts';
import { defineService, type Service } from '../../../src/engine/service.ts';
import { defineSettings } from '../../../src/engine/settings.ts';
import { type EngineState, emptyStateOf } from '../../../src/engine/state.ts';
import { stubsOf } from '../../../src/engine/stubs/stub-section.ts';

interface NoteRow {
  readonly id: string;
  readonly text: string;
  readonly created_at: Moment;
}

interface Notes extends EngineState {
  readonly notes: Table<NoteRow, 'text'>;
}

const TABLES = {
  notes: createTable({ id: (row: NoteRow) => row.id, indexes: { text: ({ text }) => text } }),
};

const contract = contractOf<{ Note: { id: string; text: string; created_at: string } }>();
const FORM = extend(contract('Note'), { id: TOKEN });

const notes: Section<NoteRow, FormOf<typeof FORM>, Notes> = {
  name: 'notes',
  noun: 'note',
  example: '{ text: milk }',
  keys: ['text'],
  schema: FORM,
  toRow: (open, { form: { id, text, created_at }, problem }) =>
    text === undefined
      ? problem(undefined, 'a note needs a text')
      : { id: open.id(id, 'note'), text, created_at: open.momentOr(created_at, open.now) },
  toForm: (_, row, { time }) => ({ ...row, created_at: time(row.created_at) }),
};

const DAY = 86_400_000;

const present = ({ created_at, ...row }: NoteRow, env: EngineEnv) => ({
  ...row,
  created_at: toTimestamp(resolve(created_at, env.start)),
  is_old: env.hasEnded(shift(created_at, DAY)),
});

const operations = {
  listNotes: (state: Notes, { query }: { query: { text?: string } }, env: EngineEnv) => {
    const found = [...allRows(state.notes)].filter(({ text }) => text.includes(query.text ?? ''));
    return { status: 200, body: { notes: found.map((row) => present(row, env)) } };
  },
  createNote: (state: Notes, { body }: { body: { text: string } }, env: EngineEnv) => {
    const row = { id: env.id('note'), text: body.text, created_at: absolute(env.now) };
    return {
      status: 201,
      body: present(row, env),
      state: { ...state, notes: putRow(state.notes, row) },
      changes: [{ type: 'note.created', resource: { id: row.id } }],
    };
  },
};

const text = readFileSync(join(packageRoot(), 'test/engine/notes/openapi.yaml'), 'utf8');

const own = {
  contract: toContract(readDocument(text)),
  contractText: () => text,
  prefixes: ['note', 'env'],
  pagePaths: [],
  sections: [clients, notes, stubsOf()] as readonly Section[],
  settings: defineSettings({ strict: false, access_token_ttl: '24h', rate_limit: null }),
};

/** Compiles what `.ci/scenario.mjs` writes as code for the service of this package. */
const compileChecks = (): Service['scenarioChecks'] => {
  const { $schema: _draft, ...schema } = structuredClone(scenarioSchema(own, loadControlContract().document));
  const options = {
    allErrors: true,
    verbose: true,
    strict: false,
    validateSchema: false,
    meta: false,
  } as const;
  const ajv = new Ajv({ ...options, formats: SCENARIO_FORMATS }).addSchema(schema, 'scenario');
  const names = { scenario: '', environment: '#/$defs/Environment', notes: '#/$defs/notes' };
  return Object.fromEntries(
    Object.entries(names).map(([name, path]) => [name, ajv.getSchema(`scenario${path}`)]),
  ) as Service['scenarioChecks']; // the cast is safe: the schema has all three
};

export const notesService = defineService({
  ...own,
  operations,
  errorCodes: {},
  presentError: ({ refusal: { message } }) => ({ message }),
  emptyState: (seed: number): Notes => emptyStateOf(TABLES, seed),
  references: {},
  actions: {},
  views: {},
  scenarioChecks: compileChecks(),
  pages: { tokenPages: [], notices: {} },
  controlHandlers: {},
});
