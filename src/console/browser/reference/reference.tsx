/** Reference: the operations with their coverage, one request editor, and what the OpenAPI documents say. */
import { useState } from 'preact/hooks';
import { Place } from '../../../engine/contract/members.ts';
import type { JsonObject } from '../../../engine/core/object.ts';
import { Editor, FailNext } from '../calls/editor.tsx';
import { answer, here, type MockSchemas } from '../live/api.ts';
import { Loading, useEnvironment, useLive, useLoaded } from '../live/live.tsx';
import { Buttons } from '../parts/buttons.tsx';
import { Code, Json } from '../parts/code.tsx';
import { Facts, reveal, Screen, Titled } from '../parts/layout.tsx';
import { addressOf, useRoute } from '../route.ts';
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
        const side = <OperationList contract={contract} />;
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
  const { of = '' } = params;
  const reports = new Map(useCoverage()?.by_operation.map((report) => [report.operation, report]));
  const present = ({ operationId, method, summary }: DocumentedOperation) => (
    <li key={operationId}>
      <a
        ref={operationId === chosen ? reveal : null}
        href={addressOf({ view: 'reference', part: operationId, params: { of } })}
        title={summary}
        aria-current={operationId === chosen ? 'page' : undefined}
      >
        <b class={`method ${method}`}>{method}</b> <span>{operationId}</span>{' '}
        <small>{summarize(reports.get(operationId))}</small>
      </a>
    </li>
  );
  return (
    <nav class={chosen === '' ? 'side operations' : 'side operations chosen'} aria-label="Operations">
      <p class="cluster">
        {Object.entries(DOCUMENTS).map(([text, name]) => {
          const href = addressOf({ view: 'reference', params: { of: name } });
          return <a {...{ href, children: text }} class="chip" aria-current={name === of || undefined} />;
        })}
      </p>
      {contract.tags.map(({ name }) => (
        <div key={name}>
          <h2>{name.replaceAll('-', ' ')}</h2>
          <ul>{contract.operations.filter(({ tags }) => tags[0] === name).map(present)}</ul>
        </div>
      ))}
    </nav>
  );
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

const summarize = (report: Report | undefined): string => {
  if (!report) return '';
  const seen = Object.keys(report.statuses.seen).length;
  return report.calls === 0 ? 'never called' : `${seen} of ${seen + report.statuses.missing.length} statuses`;
};

const SHARES = ['operations', 'statuses', 'parameters', 'members'] as const;

const Coverage = () => {
  const coverage = useCoverage();
  if (!coverage) return null;
  const shares = SHARES.map((part) => `${coverage[part].seen} of ${coverage[part].total} ${part}`);
  return (
    <Titled id="coverage" title={`Coverage ${Math.round(coverage.percent)}%`}>
      <p>{shares.join(' · ')}</p>
    </Titled>
  );
};

/** The statuses of an operation's calls, and what no call of it has used. */
export const Seen = ({ operation }: { readonly operation: string }) => {
  const report = useCoverage()?.by_operation.find((one) => one.operation === operation);
  if (!report) return null;
  const missing = (['statuses', 'parameters', 'members'] as const).map((part) => {
    return [`Missing ${part}`, report[part].missing.join(', ')] as const;
  });
  return (
    <div>
      <p class="cluster">
        {report.calls === 0 ? 'never called' : `${report.calls} ${report.calls === 1 ? 'call' : 'calls'}:`}
        {Object.entries(report.statuses.seen).map(([status, count]) => [
          <Code status={Number(status)} />,
          count,
        ])}
      </p>
      <details>
        <summary>What no call has used</summary>
        <Facts of={missing} />
      </details>
    </div>
  );
};
