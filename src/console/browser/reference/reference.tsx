/** Reference: the operations with their coverage, one request editor, and what the OpenAPI documents say. */
import { useState } from 'preact/hooks';
import { Place } from '../../../engine/contract/members.ts';
import type { JsonObject } from '../../../engine/core/object.ts';
import { Editor, FailNext } from '../calls/editor.tsx';
import { answer, here, type MockSchemas } from '../live/api.ts';
import { Loading, useEnvironment, useLive, useLoaded } from '../live/live.tsx';
import { act } from '../parts/acts.ts';
import { Buttons } from '../parts/buttons.tsx';
import { Code, Json } from '../parts/code.tsx';
import { Facts, hasWords, reveal, Screen, SearchField, Titled } from '../parts/layout.tsx';
import { addressOf, filter, useRoute } from '../route.ts';
import {
  type ContractDocument,
  contentOf,
  type DocumentedOperation,
  exampleNames,
  readApi,
  readControl,
  toCall,
} from './document.ts';
import { Inferred, Members, Prose } from './schema.tsx';

export const Reference = () => {
  const { params, part } = useRoute();
  return (
    <Loading from={useLoaded(params.of ?? '', params.of === 'control' ? readControl : readApi)}>
      {(contract) => {
        const operation = contract.operations.find(({ operationId }) => operationId === part);
        if (operation) return <OperationView key={part} {...{ contract, operation }} />;
        const side = <OperationList {...{ contract }} />;
        return <Screen title={contract.info.title} side={side} children={introduce(contract)} />;
      }}
    </Loading>
  );
};

interface OfContract {
  readonly contract: ContractDocument;
}

const DOCUMENTS = { API: '', 'Control plane': 'control' };

const OperationList = ({ contract }: OfContract) => {
  const { part: chosen, params } = useRoute();
  const { query = '', of = '' } = params;
  const seen = new Map(useCoverage()?.by_operation.map((report) => [report.operation, summarize(report)]));
  const found = contract.operations.filter((operation) => hasWords(textOf(operation), query));
  const present = ({ operationId, method, summary }: DocumentedOperation) => (
    <li key={operationId}>
      <a
        ref={operationId === chosen ? reveal : null}
        href={addressOf({ view: 'reference', part: operationId, params: { of, query } })}
        title={summary}
        aria-current={operationId === chosen ? 'page' : undefined}
      >
        <b class={`method ${method}`}>{method}</b> <span>{operationId}</span>{' '}
        <small>{seen.get(operationId)}</small>
      </a>
    </li>
  );
  return (
    <nav class={chosen === '' ? 'side operations' : 'side operations chosen'} aria-label="Operations">
      <p class="cluster">
        {Object.entries(DOCUMENTS).map(([text, name]) => (
          <a
            class="chip"
            aria-current={name === of ? 'true' : undefined}
            href={addressOf({ view: 'reference', params: { of: name } })}
          >
            {text}
          </a>
        ))}
      </p>
      <SearchField label="Search operations" text={query} find={(text) => filter({ query: text })} />
      {found.length === 0 && <p class="empty">No operations match.</p>}
      {[...new Set(found.map(({ tags }) => tags[0]))].map((tag) => (
        <div key={tag}>
          <h2>{tag.replaceAll('-', ' ')}</h2>
          <ul>{found.filter(({ tags }) => tags[0] === tag).map(present)}</ul>
        </div>
      ))}
    </nav>
  );
};

const textOf = ({ operationId, method, path, summary, description, parameters }: DocumentedOperation) =>
  [operationId, method, path, summary, description, ...parameters.map(({ name }) => name)].join(' ');

const introduce = ({ info, tags, operations, isControl, file }: ContractDocument) => (
  <article class="words">
    {!isControl && <Coverage />}
    <Prose text={info.description} />
    <p>
      {operations.length} operations. The complete document: <a href={file}>{file.replace('../', '')}</a>
    </p>
    <Facts of={tags.map(({ name, description }) => [name.replaceAll('-', ' '), description])} />
  </article>
);

const OperationView = ({ contract, operation }: OfContract & { readonly operation: DocumentedOperation }) => {
  const { details } = useEnvironment();
  const { operationId, summary } = operation;
  const names = exampleNames(operation);
  const [example, choose] = useState(names[0] ?? '');
  const examples = names.map((label) => ({ label, isOn: label === example, choose: () => choose(label) }));
  const actions = (
    <>
      <a href={addressOf({ view: 'reference' })}>All operations</a>
      {names.length > 1 && <Buttons className="chip" actions={examples} />}
      {!contract.isControl && <FailNext operation={operationId} />}
    </>
  );
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

/** What the document says about an operation. */
const describe = (operation: DocumentedOperation) => {
  const { method, path, operationId, parameters, responses, requestBody } = operation;
  const { type, schema: body } = contentOf(requestBody);
  const properties = parameters.map(({ name, schema, ...note }) => [name, { ...schema, ...note }]);
  const required = parameters.flatMap((each) => (each.required ? each.name : []));
  return [
    <p class="summary">
      <b class={`method ${method}`}>{method}</b> <code>{path}</code> <code class="tag">{operationId}</code>{' '}
      <Inferred reason={operation['x-inferred']} />
    </p>,
    <Seen operation={operationId} />,
    <Prose text={operation.description} />,
    parameters.length > 0 && (
      <Titled id="parameters" title="Parameters">
        <Members of={new Place([{ properties: Object.fromEntries(properties), required }])} />
      </Titled>
    ),
    body && (
      <Titled id="body" title={['Body ', <small>{type}</small>]}>
        <Prose text={body.description as string | undefined} />
        <Members of={new Place([body])} />
      </Titled>
    ),
    <Titled id="replies" title="Replies">
      {Object.entries(responses).map(presentReply)}
    </Titled>,
  ];
};

const presentReply = ([status, reply]: readonly [string, JsonObject]) => {
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

const useCoverage = () => {
  const params = { query: { format: 'json' } } as const;
  // The cast is safe: without `min` the answer is JSON.
  const read = () => answer(here.GET('/coverage', { params })) as Promise<MockSchemas['Coverage']>;
  return useLive('', read, 'request').value;
};

type Report = MockSchemas['Coverage']['by_operation'][number];

/** What a list of operations says of each. */
const summarize = ({ calls, statuses }: Report): string => {
  const seen = Object.keys(statuses.seen).length;
  return calls === 0 ? 'never called' : `${seen} of ${seen + statuses.missing.length} statuses`;
};

const SHARES = ['operations', 'statuses', 'parameters', 'members'] as const;

const Coverage = () => {
  const coverage = useCoverage();
  const clear = () => act('Clear the coverage', () => answer(here.DELETE('/coverage')), 'Coverage cleared.');
  if (!coverage) return null;
  const shares = SHARES.map((part) => {
    const { seen, total } = coverage[part];
    return [part, [`${seen} of ${total} `, <meter max={total} value={seen} aria-label={part} />]] as const;
  });
  return (
    <Titled id="coverage" title={`Coverage ${Math.round(coverage.percent)}%`}>
      <Facts of={shares} />
      <p>
        <Buttons className="small" actions={[{ label: 'Clear coverage', choose: clear }]} />
      </p>
    </Titled>
  );
};

/** The statuses of an operation's calls, and what no call of it has used. */
export const Seen = ({ operation }: { readonly operation: string }) => {
  const report = useCoverage()?.by_operation.find((one) => one.operation === operation);
  if (!report) return null;
  const missing = (['statuses', 'parameters', 'members'] as const).map((part) => {
    return [`Missing ${part}`, report[part].missing.map((name) => <code class="tag">{name}</code>)] as const;
  });
  return (
    <div class="seen">
      <p class="cluster">
        {report.calls === 0 ? <span class="tag bad">never called</span> : `Seen in ${report.calls} calls:`}
        {Object.entries(report.statuses.seen).map(([status, count]) => (
          <span key={status}>
            <Code status={Number(status)} /> {count}
          </span>
        ))}
      </p>
      <details>
        <summary>What no call has used</summary>
        <Facts of={missing.filter(([, names]) => names.length > 0)} />
      </details>
    </div>
  );
};
