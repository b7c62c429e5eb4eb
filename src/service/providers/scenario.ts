/** Custom providers of a scenario (behaviour P1, P2). */

import { allRows, getRow, rowsBy } from '../../engine/core/table.ts';
import { nearest } from '../../engine/core/text.ts';
import { extend, type FormOf, type MemberSchema, TEXT, TOKEN } from '../../engine/scenario/member-schemas.ts';
import type { Schemas } from '../contract.ts';
import { contract, type NounSection } from '../section.ts';
import type { State } from '../state.ts';
import type { ProviderRow } from './row.ts';
import { deriveIdentifier, isMcpBased, PROVIDER_DEFAULTS } from './rules.ts';

/** A custom provider in a scenario can have every member that the API accepts or returns. */
const ROW: MemberSchema<Schemas['CustomProvider']> = {
  allOf: [contract('CustomProvider'), contract('UpdateCustomProviderRequest')],
};
const FORM = extend(ROW, { id: TOKEN, identifier: TEXT });

const DEFAULTS = { auth_patterns: [], ...PROVIDER_DEFAULTS };

export const providersSection: NounSection<'custom_providers', FormOf<typeof FORM>> = {
  name: 'custom_providers',
  noun: 'custom provider',
  example: '{ display_name: Wiki, proxy_url: https://wiki.acme.test }',
  keys: ['identifier', 'display_name'],
  schema: FORM,
  otherName: ({ identifier }) => identifier,
  decisive: ['identifier'],
  toRow: (open, { form, problem }) => {
    const { display_name, proxy_url, auth_patterns = [] } = form;
    if (display_name === undefined || proxy_url === undefined)
      return problem(undefined, 'a custom provider needs a display_name and a proxy_url');
    return {
      ...DEFAULTS,
      ...form,
      id: open.id(form.id, 'prv'),
      identifier: form.identifier ?? deriveIdentifier(open.state, display_name, open.environmentId),
      display_name,
      proxy_url,
      is_custom: true,
      is_custom_mcp: isMcpBased(auth_patterns),
    };
  },
  toForm: (_, row) => row,
};

/** Finds a provider by id, identifier or display name. Only a display name may differ in case. */
export const findProvider = (
  { custom_providers }: Pick<State, 'custom_providers'>,
  reference: string,
): ProviderRow | undefined =>
  getRow(custom_providers, reference) ??
  rowsBy(custom_providers, 'identifier', reference)[0] ??
  rowsBy(custom_providers, 'display_name', reference.toLowerCase())[0];

/** More names are not compared, since every connection would have to be compared with all of them. */
const MOST_COMPARED = 100;

/**
 * The name of a provider that a connection's `provider_key` probably misspells. A key may also name nothing, so only one
 * letter in six may differ.
 */
export const nearProvider = (
  { custom_providers }: Pick<State, 'custom_providers'>,
  key = '',
): string | undefined =>
  custom_providers.rows.size > MOST_COMPARED
    ? undefined
    : nearest(
        key,
        Array.from(allRows(custom_providers), ({ display_name }) => display_name),
        Math.floor(key.length / 6),
      );
