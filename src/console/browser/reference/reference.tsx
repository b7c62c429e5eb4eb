/** Reference: the operations with their coverage, one request editor, and what the OpenAPI documents say. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Editor } from '../calls/editor.tsx';
import { FailNext } from '../calls/faults.tsx';
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
import { Inferred, Prose, presentSchema } from './schema.tsx';

export const Reference = () => {
  const { params, part } = useRoute();
  const read = params.of === 'control' ? readControl : readApi;
  return (
    <Loading from={useLoaded(params.of ?? '', read)}>
      {(contract) => {
        const operation = contract.operations.find(({ operationId }) => operationId === part);
        const side = <OperationList contract={contract} chosen={part} />;
        if (!operation)
          return <Screen title={contract.info.title} side={side} children={introduce(contract)} />;
        return <OperationView key={part} {...{ contract, operation, side }} />;
      }}
    </Loading>
  );
};

const OperationList = ({
  contract,
  chosen,
}: {
  readonly contract: ContractDocument;
  readonly chosen: string;
}) => {
  const { query = '', of = '' } = useRoute().params;
  const seen = useSeen();
  const found = contract.operations.filter((operation) => hasWords(textOf(operation), query));
  const documents = Object.entries({ API: '', 'Control plane': 'control' }).map(([text, name]) => (
    <a
      class="chip"
      aria-current={name === of ? 'true' : undefined}
      href={addressOf({ view: 'reference', params: { of: name } })}
    >
      {text}
    </a>
  ));
  const present = ({ operationId, method, summary }: DocumentedOperation) => (
    <li key={operationId}>
      <a
        ref={operationId === chosen ? reveal : null}
        href={addressOf({ view: 'reference', part: operationId, params: { of, query } })}
        title={summary}
        aria-current={operationId === chosen ? 'page' : undefined}
      >
        <b class={`method ${method}`}>{method}</b> <span>{operationId}</span>{' '}
        <small>{seen[operationId]}</small>
      </a>
    </li>
  );
  return (
    <nav class={chosen === '' ? 'side operations' : 'side operations chosen'} aria-label="Operations">
      <p class="cluster">{documents}</p>
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

const textOf = (operation: DocumentedOperation): string => {
  const { operationId, method, path, summary, description, parameters } = operation;
  return [operationId, method, path, summary, description, ...parameters.map(({ name }) => name)].join(' ');
};

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

interface OperationProps {
  readonly contract: ContractDocument;
  readonly operation: DocumentedOperation;
  readonly side: ComponentChildren;
}

const OperationView = ({ contract, operation, side }: OperationProps) => {
  const { details: environment } = useEnvironment();
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
  return (
    <Screen title={summary} {...{ side, actions }}>
      <article class="operation">
        <Editor
          key={example}
          sample={toCall({ contract, operation, environment }, example)}
          label={`Send ${operationId}`}
        />
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
        {presentSchema({ properties: Object.fromEntries(properties), required })}
      </Titled>
    ),
    body && (
      <Titled id="body" title={['Body ', <small>{type}</small>]}>
        <Prose text={body.description} />
        {presentSchema(body)}
      </Titled>
    ),
    <Titled id="replies" title="Replies">
      {Object.entries(responses).map(presentReply)}
    </Titled>,
  ];
};

const presentReply = ([status, reply]: readonly [string, DocumentedOperation['responses'][string]]) => {
  const { schema, examples = {} } = contentOf(reply);
  return (
    <details class="reply" open={status.startsWith('2')}>
      <summary>
        <span class={`code c${status[0]}`}>{status}</span> {reply.description?.split('\n')[0]}
      </summary>
      {/* Not in the summary, because screen readers do not offer links inside a summary. */}
      <Inferred reason={reply['x-inferred']} />
      {schema && presentSchema(schema, 1)}
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

const SHARES = ['operations', 'statuses', 'parameters', 'members'] as const;

const Coverage = () => {
  const coverage = useCoverage();
  const clear = () => act('Clear the coverage', () => answer(here.DELETE('/coverage')), 'Coverage cleared.');
  if (!coverage) return null;
  const shares = SHARES.map((part) => {
    const { seen, total } = coverage[part];
    const meter = <meter min={0} max={total} value={seen} aria-label={part} />;
    return [part, [`${seen} of ${total} `, meter]] as const;
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

/** What a list of operations says of each: by its id, in a few words. */
const useSeen = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    useCoverage()?.by_operation.map(({ operation, calls, statuses }) => {
      const seen = Object.keys(statuses.seen).length;
      const all = seen + statuses.missing.length;
      return [operation, calls === 0 ? 'never called' : `${seen} of ${all} statuses`];
    }) ?? [],
  );

/** The statuses of an operation's calls, and what no call of it has used. */
export const Seen = ({ operation }: { readonly operation: string }) => {
  const report = useCoverage()?.by_operation.find((one) => one.operation === operation);
  if (!report) return null;
  const missing = (['statuses', 'parameters', 'members'] as const).map((part) => {
    const names = report[part].missing.map((name) => <code class="tag">{name}</code>);
    return [`Missing ${part}`, names.length > 0 ? names : ''] as const;
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
        <Facts of={missing} />
      </details>
    </div>
  );
};
