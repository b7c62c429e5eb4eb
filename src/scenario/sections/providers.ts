/** Custom providers of a scenario (behaviour P1, P2). */

import { getRow, rowsBy } from '../../core/table.ts';
import { deriveIdentifier, isMcpBased, PROVIDER_DEFAULTS } from '../../domain/provider.ts';
import type { ProviderRow } from '../../domain/rows.ts';
import type { State } from '../../domain/state.ts';
import type { Schemas } from '../../openapi/types.ts';
import type { RowControl } from '../row-source.ts';
import { contract, extend, type MemberSchema, TEXT, TOKEN, type ValueOf } from './members.ts';
import { requireAgreement, type Section, withoutDerived } from './section.ts';

/** A scenario can say what a request can, and what only answers say. */
const ROW: MemberSchema<Schemas['CustomProvider']> = {
  allOf: [contract('CustomProvider'), contract('UpdateCustomProviderRequest')],
};
const FORM = extend(ROW, { id: TOKEN, identifier: TEXT });

type ProviderForm = RowControl & ValueOf<typeof FORM>;

/** A scenario may leave out how to authenticate, too. */
const DEFAULTS = { auth_patterns: [], ...PROVIDER_DEFAULTS };

export const providers: Section<'custom_providers', ProviderForm> = {
  name: 'custom_providers',
  noun: 'custom provider',
  title: ({ display_name }) => display_name,
  keys: ['identifier', 'display_name'],
  schema: FORM,
  toRow: (writing, written) => {
    const { form } = written;
    const { display_name, proxy_url, auth_patterns = [] } = form;
    if (display_name === undefined || proxy_url === undefined)
      return written.problem(undefined, 'a custom provider needs a display_name and a proxy_url');
    const is_custom_mcp = isMcpBased(auth_patterns);
    requireAgreement(written, 'is_custom', true, 'of every provider here');
    requireAgreement(written, 'is_custom_mcp', is_custom_mcp, 'by auth_patterns');
    return {
      ...DEFAULTS,
      ...form,
      id: writing.id(form.id, 'prv'),
      identifier: form.identifier ?? deriveIdentifier(writing.state, display_name, writing.environmentId),
      display_name,
      proxy_url,
      is_custom: true,
      is_custom_mcp,
    };
  },
  toForm: (_, { is_custom: _custom, is_custom_mcp: _mcp, ...row }) => withoutDerived(row, DEFAULTS),
};

/** A provider by id, identifier or display name in any case. */
export const findProvider = (
  { custom_providers }: Pick<State, 'custom_providers'>,
  reference: string,
): ProviderRow | undefined =>
  getRow(custom_providers, reference) ??
  rowsBy(custom_providers, 'identifier', reference)[0] ??
  rowsBy(custom_providers, 'display_name', reference.toLowerCase())[0];
