/** Reference: the operations with their coverage, one request editor, and what the OpenAPI documents say. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Place } from '../../../engine/contract/members.ts';
import type { JsonObject } from '../../../engine/core/object.ts';
import { Editor, FailNext } from '../calls/editor.tsx';
import { answer, here, type MockSchemas } from '../live/api.ts';
import { Loading, useEnvironment, useLive, useLoaded } from '../live/live.tsx';
import { Buttons } from '../parts/buttons.tsx';
import { Code, Inferred, Json, Prose } from '../parts/code.tsx';
import { Facts, Screen, Side, Titled } from '../parts/layout.tsx';
import { addressOf, useRoute } from '../route.ts';
import {
  type ContractDocument,
  contentOf,
  type DocumentedOperation,
  exampleNames,
  parametersOf,
  readApi,
  readControl,
  toCall,
} from './document.ts';

export const Reference = () => {
  const { params, part } = useRoute();
  return (
    <Loading from={useLoaded(params.of ?? '', params.of === 'control' ? readControl : readApi)}>
      {(contract) => {
        const operation = contract.operations.find(({ operationId }) => operationId === part);
        if (operation) return <OperationView key={part} {...{ contract, operation }} />;
        const side = <OperationList contract={contract} />;
        const about = <Introduction contract={contract} />;
        return <Screen title={contract.info.title} side={side} children={about} />;
      }}
    </Loading>
  );
};

type OfContract = Readonly<{ contract: ContractDocument }>;

const DOCUMENTS = { API: '', 'Control plane': 'control' };

const OperationList = ({ contract }: OfContract) => {
  const { part: chosen, params } = useRoute();
  const { of = '' } = params;
  const reports = new Map(useCoverage()?.by_operation.map((report) => [report.operation, report]));
  const links = contract.operations.map(({ operationId, method, summary: title, tags: [group] }) => ({
    group: group.replaceAll('-', ' '),
    href: addressOf({ view: 'reference', part: operationId, params: { of } }),
    title,
    isChosen: operationId === chosen,
    children: [
      <b class={`method ${method}`}>{method}</b>,
      <span> {operationId} </span>,
      <small>{summarize(reports.get(operationId))}</small>,
    ],
  }));
  return (
    <Side label="Operations" class={`side operations ${chosen && 'chosen'}`} links={links}>
      <p class="cluster">
        {Object.entries(DOCUMENTS).map(([text, name]) => {
          const href = addressOf({ view: 'reference', params: { of: name } });
          return <a {...{ href, children: text }} class="chip" aria-current={name === of || undefined} />;
        })}
      </p>
    </Side>
  );
};

/** What coverage counts of an operation, and of the whole contract. */
const COUNTED = ['statuses', 'parameters', 'members'] as const;
const SHARES = ['operations', ...COUNTED] as const;

const Introduction = ({ contract: { info, tags, operations, isControl, file } }: OfContract) => {
  const coverage = useCoverage();
  const shares =
    coverage && SHARES.map((part) => `${coverage[part].seen} of ${coverage[part].total} ${part}`);
  return (
    <article class="words">
      {coverage && !isControl && (
        <Titled id="coverage" title={`Coverage ${Math.round(coverage.percent)}%`}>
          <p>{shares?.join(' · ')}</p>
        </Titled>
      )}
      <Prose text={info.description} />
      <p>
        {operations.length} operations. The complete document: <a href={file}>{file.replace('../', '')}</a>
      </p>
      <Facts of={tags.map(({ name, description }) => [name.replaceAll('-', ' '), description])} />
    </article>
  );
};

const OperationView = ({ contract, operation }: OfContract & { readonly operation: DocumentedOperation }) => {
  const { details } = useEnvironment();
  const { operationId, summary } = operation;
  const names = exampleNames(operation);
  const [example, choose] = useState(names[0] ?? '');
  const examples = names.map((label) => ({ label, isOn: label === example, choose: () => choose(label) }));
  const actions = [
    <a href={addressOf({ view: 'reference', params: { of: contract.isControl ? 'control' : '' } })}>
      All operations
    </a>,
    names.length > 1 && <Buttons className="chip" actions={examples} />,
    !contract.isControl && <FailNext operation={operationId} />,
  ];
  const sample = toCall(contract, operation, details, example);
  return (
    <Screen title={summary} side={<OperationList {...{ contract }} />} actions={actions}>
      <article class="operation">
        <Editor key={example} sample={sample} label={`Send ${operationId}`} />
        <div class="words">{describe(operation)}</div>
      </article>
    </Screen>
  );
};

const describe = (operation: DocumentedOperation) => {
  const { method, path, operationId, responses, requestBody } = operation;
  const { type, schema } = contentOf(requestBody);
  return [
    <p class="summary">
      <b class={`method ${method}`}>{method}</b> <code>{path}</code> <code class="tag">{operationId}</code>{' '}
      <Inferred reason={operation['x-inferred']} />
    </p>,
    <Seen operation={operationId} />,
    <Prose text={operation.description} />,
    describeInput('parameters', 'Parameters', parametersOf(operation)),
    describeInput('body', ['Body ', <small>{type}</small>], schema),
    <Titled id="replies" title="Replies">
      {Object.entries(responses).map(describeReply)}
    </Titled>,
  ];
};

const describeInput = (id: string, title: ComponentChildren, schema: JsonObject | undefined) =>
  schema && (
    <Titled id={id} title={title}>
      <Prose text={schema.description as string | undefined} />
      <Members of={new Place([schema])} />
    </Titled>
  );

const describeReply = ([status, reply]: readonly [string, JsonObject]) => {
  const { schema, examples = {} } = contentOf(reply);
  return (
    <details class="reply" open={status.startsWith('2')}>
      <summary>
        <span class={`code c${status[0]}`}>{status}</span> {String(reply.description).split('\n')[0]}
      </summary>
      {/* Not in the summary, because screen readers do not offer links inside a summary. */}
      <Inferred reason={reply['x-inferred'] as string | undefined} />
      {schema && <Members of={new Place([schema])} />}
      {Object.entries(examples).map(([name, { summary = name, value }]) => (
        <section>
          <h3>{summary}</h3>
          <Json value={value} label={`Example of ${status}: ${summary}`} />
        </section>
      ))}
    </details>
  );
};

/** The keywords that a reader needs, in words. */
const WORDS = {
  enum: '#',
  const: '#',
  minLength: 'length # or more',
  maxLength: 'length up to #',
  minimum: 'from #',
  maximum: 'to #',
  maxItems: 'up to # items',
  maxProperties: 'up to # members',
  pattern: 'matches #',
  default: 'default #',
  readOnly: 'set by the server',
};

const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** What the schemas of a place, alternatives included, say with a keyword. */
const said = ({ forms }: Place, keyword: string): readonly string[] => [
  ...new Set(forms.flatMap((form) => form[keyword] ?? []).map(show)),
];

/** Describes the values of a place, such as `string · up to 200 characters · default mail`. */
const limitsOf = (place: Place): string => {
  const { items, others } = place;
  const types = said(place, 'type').map((type) => (type === 'array' ? 'list' : type));
  const type = types.join(' or ') || 'any value';
  const [expected] = said(place, 'x-expected'); // it says what the limits mean
  if (expected !== undefined) return `${type} · ${expected}`;
  const limits = Object.entries(WORDS).map(([keyword, words]) => {
    const values = said(place, keyword).join(', ');
    return values && words.replace('#', () => values);
  });
  const inside = [items && `items: ${limitsOf(items)}`, others && `other members: ${limitsOf(others)}`];
  return [type, ...said(place, 'format'), ...limits, ...inside].filter(Boolean).join(' · ');
};

const membersOf = ({ members, items }: Place): readonly Place[] =>
  items && members.size === 0 ? membersOf(items) : [...members.values()];

/** The members inside a place, at any depth. */
export const Members = ({ of }: { readonly of: Place }): ComponentChildren =>
  membersOf(of).length > 0 && (
    <ul class="members">
      {membersOf(of).map((place) => (
        <li key={place.path}>
          <p>
            <code class="member">{place.path.split('.').at(-1)}</code> <small>{limitsOf(place)}</small>{' '}
            {place.isRequired && <span class="tag">required</span>}
          </p>
          <Prose text={said(place, 'description')[0]} />
          <Inferred reason={said(place, 'x-inferred')[0]} />
          <Members of={place} />
        </li>
      ))}
    </ul>
  );

const useCoverage = () => {
  const params = { query: { format: 'json' } } as const;
  // The cast is safe: without `min` the answer is JSON.
  const read = () => answer(here.GET('/coverage', { params })) as Promise<MockSchemas['Coverage']>;
  return useLive('', read, 'request').value;
};

type Report = MockSchemas['Coverage']['by_operation'][number];

const summarize = (report: Report | undefined): string => {
  if (!report) return '';
  const seen = Object.keys(report.statuses.seen).length;
  return report.calls === 0 ? 'never called' : `${seen} of ${seen + report.statuses.missing.length} statuses`;
};

/** The statuses of an operation's calls, and what no call of it has used. */
export const Seen = ({ operation }: { readonly operation: string }) => {
  const report = useCoverage()?.by_operation.find((one) => one.operation === operation);
  const seen = Object.entries(report?.statuses.seen ?? {});
  return (
    report && (
      <details>
        <summary>
          {summarize(report)}{' '}
          {seen.map(([status, count]) => [<Code status={Number(status)} />, ` × ${count} `])}
        </summary>
        <Facts of={COUNTED.map((part) => [`Missing ${part}`, report[part].missing.join(', ')])} />
      </details>
    )
  );
};
