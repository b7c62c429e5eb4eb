/** Reference: the operations with their coverage, one request editor, and what the OpenAPI documents say. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useCoverage } from '../calls/call.tsx';
import { Editor } from '../calls/editor.tsx';
import { FailNext } from '../calls/faults.tsx';
import { answer, here, type MockSchemas } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { Loading, useLoaded } from '../live/loaded.tsx';
import { act } from '../parts/acts.ts';
import { Buttons } from '../parts/buttons.tsx';
import { Code, Json } from '../parts/code.tsx';
import { Facts, hasWords, reveal, Screen, SearchField, Titled } from '../parts/layout.tsx';
import { addressOf, filter, useRoute } from '../route.ts';
import { bodyOf, type ContractDocument, type DocumentedOperation, readApi, readControl } from './document.ts';
import { exampleNames, toCall } from './example.ts';
import { Inferred, Member, Prose, SchemaView } from './schema.tsx';

type OperationReport = MockSchemas['Coverage']['by_operation'][number];

export const Reference = () => {
  const { params, part } = useRoute();
  const isControl = params.of === 'control';
  return (
    <Loading from={useLoaded(String(isControl), isControl ? readControl : readApi)}>
      {(contract) => {
        const operation = contract.operations.find(({ operationId }) => operationId === part);
        const side = <OperationList contract={contract} chosen={part} />;
        if (!operation) return <Introduction {...{ contract, side }} />;
        return <OperationView key={part} {...{ contract, operation, side }} />;
      }}
    </Loading>
  );
};

const DOCUMENTS = [
  ['', 'API'],
  ['control', 'Control plane'],
] as const;

interface OperationListProps {
  readonly contract: ContractDocument;
  readonly chosen: string;
}

const OperationList = ({ contract, chosen }: OperationListProps) => {
  const { query = '', of = '' } = useRoute().params;
  const reports = useCoverage()?.by_operation ?? [];
  const found = contract.operations.filter((operation) => hasWords(textOf(operation), query));
  return (
    <nav class={chosen === '' ? 'side operations' : 'side operations chosen'} aria-label="Operations">
      <p class="cluster">
        {DOCUMENTS.map(([name, text]) => (
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
          <ul>
            {found
              .filter(({ tags }) => tags[0] === tag)
              .map(({ operationId, method, summary }) => (
                <li key={operationId}>
                  <a
                    ref={operationId === chosen ? reveal : null}
                    href={addressOf({ view: 'reference', part: operationId, params: { of, query } })}
                    title={summary}
                    aria-current={operationId === chosen ? 'page' : undefined}
                  >
                    <b class={`method ${method}`}>{method}</b> <span>{operationId}</span>{' '}
                    <small>{seenOf(reports.find((one) => one.operation === operationId))}</small>
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
};

/** What the list says of an operation's coverage. */
const seenOf = (report: OperationReport | undefined): string => {
  if (!report) return '';
  const seen = Object.keys(report.statuses.seen).length;
  return report.calls === 0 ? 'never called' : `${seen} of ${seen + report.statuses.missing.length} statuses`;
};

const textOf = (operation: DocumentedOperation): string => {
  const { operationId, method, path, summary, description, parameters } = operation;
  return [operationId, method, path, summary, description, ...parameters.map(({ name }) => name)].join(' ');
};

interface IntroductionProps {
  readonly contract: ContractDocument;
  readonly side: ComponentChildren;
}

const Introduction = ({ contract, side }: IntroductionProps) => {
  const { info, tags, operations, isControl } = contract;
  const file = isControl ? 'openapi.json' : '../openapi.yaml';
  return (
    <Screen title={info.title} side={side}>
      <article class="words">
        {!isControl && <Coverage />}
        <Prose text={info.description} />
        <p>
          {operations.length} operations. Complete document: <a href={file}>{file.replace('../', '')}</a>
        </p>
        {!isControl && (
          <p>
            <Inferred reason="A4" /> marks what the description of the service leaves open, so the mock
            decides.
          </p>
        )}
        <Facts of={tags.map(({ name, description }) => [name.replaceAll('-', ' '), description])} />
      </article>
    </Screen>
  );
};

const SHARES = ['operations', 'statuses', 'parameters', 'members'] as const;

const Coverage = () => {
  const coverage = useCoverage();
  const clear = () => act('Clear the coverage', () => answer(here.DELETE('/coverage')), 'Coverage cleared.');
  if (!coverage) return null;
  return (
    <Titled id="coverage" title={`Coverage ${Math.round(coverage.percent)}%`}>
      <Facts
        of={SHARES.map((part) => {
          const { seen, total } = coverage[part];
          const meter = <meter min={0} max={total} value={seen} aria-label={part} />;
          return [part, [`${seen} of ${total} `, meter]];
        })}
      />
      <p>
        <Buttons className="small" actions={[{ label: 'Clear coverage', choose: clear }]} />
      </p>
    </Titled>
  );
};

interface OperationProps extends IntroductionProps {
  readonly operation: DocumentedOperation;
}

const OperationView = ({ contract, operation, side }: OperationProps) => {
  const { details: environment } = useEnvironment();
  const { operationId } = operation;
  const names = exampleNames(operation);
  const [example, choose] = useState(names[0] ?? '');
  const actions = (
    <>
      <a href={addressOf({ view: 'reference' })}>All operations</a>
      {names.length > 1 && (
        <select
          class="small"
          aria-label="Example"
          value={example}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {names.map((name) => (
            <option>{name}</option>
          ))}
        </select>
      )}
      {!contract.isControl && <FailNext operation={operationId} />}
    </>
  );
  return (
    <Screen title={operation.summary} {...{ side, actions }}>
      <article class="operation">
        <Editor
          key={example}
          sample={toCall({ contract, operation, environment }, example)}
          label={`Send ${operationId}`}
        />
        <Words operation={operation} />
      </article>
    </Screen>
  );
};

/** What the document says about an operation. */
const Words = ({ operation }: Pick<OperationProps, 'operation'>) => {
  const { method, path, operationId, parameters, responses } = operation;
  const { type, schema: body } = bodyOf(operation);
  return (
    <div class="words">
      <p class="summary">
        <b class={`method ${method}`}>{method}</b> <code>{path}</code> <code class="tag">{operationId}</code>{' '}
        <Inferred reason={operation['x-inferred']} />
      </p>
      <Seen operation={operationId} />
      <Prose text={operation.description} />
      {parameters.length > 0 && (
        <Titled id="parameters" title="Parameters">
          <ul class="members">
            {parameters.map((note) => (
              <Member key={note.name} {...note} isRequired={note.required} note={note} />
            ))}
          </ul>
        </Titled>
      )}
      {body && (
        <Titled id="body" title={['Body ', <small>{type}</small>]}>
          <Prose text={body.description} />
          <SchemaView schema={body} />
        </Titled>
      )}
      <Titled id="replies" title="Replies">
        {Object.entries(responses).map(([status, reply]) => (
          <ReplyView key={status} {...{ status, reply }} />
        ))}
      </Titled>
    </div>
  );
};

const PARTS = ['statuses', 'parameters', 'members'] as const;

/** What calls of an operation have used, and what they have not used yet. */
const Seen = ({ operation }: { readonly operation: string }) => {
  const report = useCoverage()?.by_operation.find((one) => one.operation === operation);
  if (!report) return null;
  const missing = PARTS.flatMap((part) => {
    const names = report[part].missing.map((name) => <code class="tag">{name}</code>);
    return names.length > 0 ? [[`Missing ${part}`, names] as const] : [];
  });
  return (
    <section class="card" aria-label="Coverage of this operation">
      <p class="cluster">
        {report.calls === 0 ? <span class="tag bad">never called</span> : <span>Seen:</span>}
        {Object.entries(report.statuses.seen).map(([status, count]) => (
          <span>
            <Code status={Number(status)} /> {count}
          </span>
        ))}
      </p>
      <details>
        <summary>What no call has used</summary>
        <Facts of={missing} />
      </details>
    </section>
  );
};

interface ReplyProps {
  readonly status: string;
  readonly reply: DocumentedOperation['responses'][string];
}

const ReplyView = ({ status, reply }: ReplyProps) => {
  const { schema, examples = {} } = Object.values(reply.content ?? {})[0] ?? {};
  return (
    <details class="reply" open={status.startsWith('2')}>
      <summary>
        <span class={`code c${status[0]}`}>{status}</span> {reply.description?.split('\n')[0]}
      </summary>
      {/* Not in the summary, because screen readers do not offer links inside a summary. */}
      <Inferred reason={reply['x-inferred']} />
      {schema && <SchemaView schema={schema} depth={1} />}
      {Object.entries(examples).map(([name, { summary = name, value }]) => (
        <section>
          <h3>{summary}</h3>
          <Json value={value} label={`Example of ${status}: ${summary}`} />
        </section>
      ))}
    </details>
  );
};
