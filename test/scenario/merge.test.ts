/** Laws of `extends`, for scenarios that nobody thought of. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { allRows } from '../../src/core/table.ts';
import { loadFiles, stateOf } from './files.ts';

const organization = fc.record(
  { name: fc.constantFrom('a', 'b', 'c', 'd'), display_name: fc.constantFrom('One', 'Two', 'Three') },
  { requiredKeys: ['name'] },
);
const organizations = fc.uniqueArray(organization, { selector: ({ name }) => name, maxLength: 4 });

const file = (rows: unknown, bases: readonly string[] = []): string =>
  JSON.stringify({ extends: bases, environments: { a: { organizations: rows } } });

/** Names and display names of the organizations that `main` gives, in order. */
const loaded = (files: Readonly<Record<string, string>>) =>
  Array.from(allRows(stateOf(loadFiles(files)).organizations), (row) => [row.name, row.display_name]);

const runs = { numRuns: 60 };

test('merging three files gives the same result, whichever two are merged first', () => {
  fc.assert(
    fc.property(organizations, organizations, organizations, (one, two, three) => {
      const files = { 'one.json': file(one), 'two.json': file(two), 'three.json': file(three) };
      const left = { ...files, 'pair.json': file([], ['one', 'two']), 'main.yaml': file(three, ['pair']) };
      const flat = { ...files, 'main.yaml': file([], ['one', 'two', 'three']) };
      expect(loaded(left)).toEqual(loaded(flat));
    }),
    runs,
  );
});

test('removed rows can be added again', () => {
  fc.assert(
    fc.property(organizations, (rows) => {
      const removed = rows.map(({ name }) => ({ name, remove: true }));
      const files = { 'base.json': file(rows), 'less.json': file(removed, ['base']) };
      expect(loaded({ ...files, 'main.yaml': file([], ['less']) })).toEqual([]);
      expect(loaded({ ...files, 'main.yaml': file(rows, ['less']) })).toEqual(
        loaded({ 'main.yaml': file(rows) }),
      );
    }),
    runs,
  );
});
