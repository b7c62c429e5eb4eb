/** The limits of custom providers, memberships and invitations, and the metadata constraint wherever it holds. */
import type { Basis } from '../../openapi/reply-check.ts';
import type { OperationId } from '../../openapi/types.ts';
import type { Call } from '../call.ts';
import type { Need } from '../case.ts';
import { IDS, type Limit, limitCase, text } from '../limit.ts';
import { SAMPLES } from '../samples.ts';
import type { Context } from '../session.ts';

const pairs = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`key-${n}`, 'value']));

/** An operation that takes metadata, and how to send it some. */
interface MetadataPlace {
  readonly operationId: OperationId;
  readonly at: (metadata: unknown, context: Context) => Call;
  readonly status: number;
  /** Promised where the edge succeeds; a 404 at the edge is inferred. */
  readonly basis: Basis;
  readonly needs?: readonly Need[];
}

const metadataLimits = (place: MetadataPlace): readonly Limit[] =>
  (
    [
      ['metadata.pairs', 'up to 20 pairs of metadata', 'metadata', pairs(20), pairs(21)],
      [
        'metadata.shortest_key',
        'metadata keys of 3 characters or more',
        'metadata.ab',
        { abc: 'value' },
        { ab: 'value' },
      ],
      [
        'metadata.longest_key',
        'metadata keys of up to 25 characters',
        `metadata.${text(26)}`,
        { [text(25)]: 'value' },
        { [text(26)]: 'value' },
      ],
      [
        'metadata.shortest_value',
        'metadata values of 1 character or more',
        'metadata.key',
        { key: 'v' },
        { key: '' },
      ],
      [
        'metadata.longest_value',
        'metadata values of up to 256 characters',
        'metadata.key',
        { key: text(256) },
        { key: text(257) },
      ],
      [
        'metadata.longest_value',
        'metadata whose lengths count characters, not bytes',
        'metadata.key',
        { '😀😀😀': '😀'.repeat(256) },
        { key: '😀'.repeat(257) },
      ],
    ] as const
  ).map(([promise, takes, field, edge, past]) => ({
    ...place,
    takes,
    field,
    edge: [edge],
    past: [past],
    cites: [promise, 'X1'],
  }));

const inProvider =
  (name: string) =>
  (value: unknown, { unique }: Context): Call => ({
    body: {
      display_name: `Provider ${unique}`,
      proxy_url: 'https://proxy.test',
      auth_patterns: [{ type: 'API_KEY' }],
      [name]: value,
    },
  });

const inUnknown =
  (operationId: OperationId, name: string) =>
  (value: unknown): Call => ({
    ...SAMPLES[operationId],
    body: { [name]: value },
  });

/** A name of this many characters that nothing has yet. */
const nameOf = (length: unknown, { unique }: Context): string =>
  length === 1 ? 'Q' : unique.padEnd(Number(length), 'x').slice(0, Number(length));

const DISPLAY_NAME = {
  takes: 'display names of 1 to 200 characters',
  field: 'display_name',
  cites: ['I5'],
} as const;
const PATTERNS = {
  takes: 'one authentication pattern or more',
  edge: [[{ type: 'OAUTH' }]],
  past: [[]],
  field: 'auth_patterns',
  cites: ['P1'],
} as const;

const PROVIDER_LIMITS: readonly Limit[] = [
  {
    ...DISPLAY_NAME,
    operationId: 'createCustomProvider',
    edge: [1, 200],
    past: [0, 201],
    at: (length, context) => inProvider('display_name')(nameOf(length, context), context),
    status: 201,
    needs: ['write'],
  },
  {
    ...PATTERNS,
    operationId: 'createCustomProvider',
    at: inProvider('auth_patterns'),
    status: 201,
    needs: ['write'],
  },
  {
    ...DISPLAY_NAME,
    operationId: 'updateCustomProvider',
    edge: [text(1), text(200)],
    past: ['', text(201)],
    at: inUnknown('updateCustomProvider', 'display_name'),
    status: 404,
  },
  {
    ...PATTERNS,
    operationId: 'updateCustomProvider',
    at: inUnknown('updateCustomProvider', 'auth_patterns'),
    status: 404,
  },
];

/** A path segment is never empty, so nothing is past one character. */
const IDENTIFIER = {
  takes: 'identifiers of one character',
  edge: [text(1)],
  past: [],
  field: 'identifier',
  cites: ['P3'],
} as const;

const METADATA_PLACES: readonly MetadataPlace[] = [
  {
    operationId: 'createCustomProvider',
    at: inProvider('metadata'),
    status: 201,
    basis: 'promised',
    needs: ['write'],
  },
  ...(
    [
      'updateCustomProvider',
      'createMembership',
      'updateMembership',
      'createMembershipByExternalId',
      'updateMembershipByExternalId',
    ] as const
  ).map((operationId) => ({
    operationId,
    at: inUnknown(operationId, 'metadata'),
    status: 404,
    basis: 'inferred' as const,
  })),
];

/** A valid address of this many characters. */
const address = (length: number): string => {
  const local = text(Math.min(64, length - 4));
  const domain = text(length - local.length - 1).replace(/.{63}./g, `${text(63)}.`);
  return `${local}@${domain.length < 4 ? 'x.y' : domain}`;
};

const inviterLimit = (operationId: 'createMembership' | 'createMembershipByExternalId'): Limit => ({
  operationId,
  takes: 'an inviter_email of 5 to 254 characters',
  edge: ['a@b.c', address(254)],
  past: ['a@bc', address(255)],
  field: 'inviter_email',
  at: inUnknown(operationId, 'inviter_email'),
  status: 404,
  cites: ['I5'],
});

const inPath =
  (operationId: OperationId, name: string) =>
  (value: unknown): Call => ({
    ...SAMPLES[operationId],
    path: { ...SAMPLES[operationId].path, [name]: String(value) },
  });

const EXTERNAL_ID = {
  edge: [text(1), text(510)],
  past: [text(511)],
  takes: 'external ids of 1 to 510 characters',
};

/** The ids in the paths of the operations on members. */
const PATH_LIMITS: readonly Limit[] = [
  ...(['updateCustomProvider', 'deleteCustomProvider'] as const).map(
    (operationId): Limit => ({
      ...IDENTIFIER,
      operationId,
      at: inPath(operationId, 'identifier'),
      status: 404,
    }),
  ),
  ...(['createMembership', 'updateMembership', 'deleteMembership', 'resendInvite'] as const).flatMap(
    (operationId): Limit[] => [
      {
        ...IDS.path_organization_id,
        operationId,
        field: 'organization_id',
        at: inPath(operationId, 'organization_id'),
        status: 404,
        cites: ['I2'],
      },
      {
        ...IDS.path_user_id,
        operationId,
        field: 'id',
        at: inPath(operationId, 'id'),
        status: 404,
        cites: ['I2'],
      },
    ],
  ),
  ...(
    ['createMembershipByExternalId', 'updateMembershipByExternalId', 'deleteMembershipByExternalId'] as const
  ).flatMap((operationId): Limit[] => [
    {
      ...IDS.path_organization_id,
      operationId,
      field: 'organization_id',
      at: inPath(operationId, 'organization_id'),
      status: 404,
      cites: ['I2'],
    },
    {
      ...EXTERNAL_ID,
      operationId,
      field: 'external_id',
      at: inPath(operationId, 'external_id'),
      status: 404,
      cites: ['I2'],
    },
  ]),
];

export const IDENTITY_LIMIT_CASES = [
  ...PROVIDER_LIMITS,
  ...METADATA_PLACES.flatMap(metadataLimits),
  inviterLimit('createMembership'),
  inviterLimit('createMembershipByExternalId'),
  ...PATH_LIMITS,
].map(limitCase);
