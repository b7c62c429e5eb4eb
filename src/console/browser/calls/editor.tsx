/** The request editor: address, headers and body of a call, to send it or to copy it. */
import { useState } from 'preact/hooks';
import { BASE, controlAuthorization, type Entry, type MockSchemas } from '../live/api.ts';
import { attempt, step } from '../parts/acts.ts';
import { CopyButton } from '../parts/buttons.tsx';
import { Code, MessageView, type SampleCall, toCurl } from '../parts/code.tsx';
import { submitted, toWords } from '../parts/layout.tsx';

/** What the journal shows in place of a credential. */
const MASK = '***';

/** Headers that a repeated call leaves out: clients set them, only browsers send them, or they name an environment. */
const LEFT_OUT =
  /^(?:host|content-length|connection|keep-alive|accept-encoding|transfer-encoding|user-agent|origin|referer|sec-.*|accept-language|cookie|x-mock-environment|baggage|traceparent|tracestate)$/;

/** Whether a repeated call gets the environment's token, since the journal keeps none, unless its own was refused. */
const getsToken = ({ status, request }: Entry): boolean =>
  status !== 401 && request.headers.authorization === `Bearer ${MASK}`;

/** The address of the mock, also where it is mounted below a path. */
const ROOT = new URL('..', BASE);

const toUrl = (address: string): string =>
  /^https?:/.test(address)
    ? address
    : ROOT.href.replace(/\/$/, '') + address.replace(new RegExp(`^${ROOT.pathname}(?=.)`), '/');

/** A recorded call as it can be made again. */
export const toSample = (entry: Entry, { name, access_token }: MockSchemas['Environment']): SampleCall => {
  const { method, url, headers, body } = entry.request;
  const sent = Object.entries(headers).filter(([header]) => !LEFT_OUT.test(header));
  const own =
    getsToken(entry) && access_token !== undefined
      ? { authorization: `Bearer ${access_token}` }
      : { 'x-mock-environment': name };
  return {
    ...{ method, url: toUrl(url), headers: { ...Object.fromEntries(sent), ...own } },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body, undefined, 2) }),
  };
};

/** What a recorded call lacks, because the journal does not keep it. */
export const notesOf = (entry: Entry, sample: SampleCall): string =>
  [
    getsToken(entry) && 'The token is the environment’s own: the journal keeps no tokens.',
    toCurl(sample).includes(MASK) && `Replace ${MASK} with what was sent.`,
    /^\[\d+ bytes/.test(sample.body ?? '') && 'Replace the text in brackets with the original body.',
    entry.request.body_cut && 'The end of the body is missing: the journal keeps the first 64 KiB.',
  ]
    .filter(Boolean)
    .join(' ');

export const send = async ({ url, method, headers, body = '' }: SampleCall) => {
  const began = performance.now();
  const hasBody = body !== '' && !/^(?:GET|HEAD)$/.test(method); // fetch refuses bodies of these
  const own = url.startsWith(BASE) ? controlAuthorization() : {};
  const init = { method, headers: { ...headers, ...own }, redirect: 'manual' as const };
  const response = await fetch(url, { ...init, body: hasBody ? body : null });
  return {
    ...{ status: response.status, duration: performance.now() - began },
    headers: Object.fromEntries(response.headers),
    body: readJson(await response.text()),
  };
};

/** The value of a JSON text, or else the text: other types have none, and a fault can break JSON. */
const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text || undefined;
  }
};

interface EditorProps {
  readonly sample: SampleCall;
  readonly note?: string;
  /** What the step is called in Undo. */
  readonly label: string;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

const readLines = (lines: string): SampleCall['headers'] =>
  Object.fromEntries(
    [...lines.matchAll(/^\s*([^:\n]*[^:\s]):?[^\S\n]*(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );

export const Editor = ({ sample, note = '', label }: EditorProps) => {
  const [draft, setDraft] = useState({
    ...{ method: sample.method, address: sample.url.replace(ROOT.origin, ''), body: sample.body ?? '' },
    headers: Object.entries(sample.headers)
      .map((header) => header.join(': '))
      .join('\n'),
  });
  const [reply, setReply] = useState<Awaited<ReturnType<typeof send>>>();
  const { method, address, headers, body } = draft;
  const shown: SampleCall = {
    ...{ method, headers: readLines(headers), url: new URL(address, ROOT.origin).href },
    ...(body !== '' && { body }),
  };
  const execute = () =>
    attempt(async () => {
      const isDrastic = method === 'DELETE' && /\/_mock\/environments\/[^/]+$/.test(address);
      if (isDrastic && !confirm(`Send DELETE ${address}?`)) return;
      setReply(await (/^GET$|^HEAD$/.test(method) ? send(shown) : step(label, () => send(shown))));
    });
  const control = (name: keyof typeof draft) => ({
    ...{ 'aria-label': toWords(name), value: draft[name], spellcheck: false },
    rows: Math.min(14, draft[name].split('\n').length + (name === 'body' ? 1 : 0)),
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      setDraft({ ...draft, [name]: currentTarget.value }),
  });
  return (
    <form class="editor card" aria-label="Request" onSubmit={submitted(execute)}>
      <div class="address">
        <select {...control('method')}>
          {METHODS.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <input {...control('address')} />
      </div>
      <textarea {...control('headers')} />
      {(body !== '' || !/GET|HEAD|DELETE/.test(method)) && <textarea {...control('body')} />}
      <div class="cluster">
        <button type="submit" class="primary small">
          Send
        </button>
        <CopyButton label="Copy as curl" text={toCurl(shown)} note={note} />
        {note !== '' && <small>{note}</small>}
      </div>
      {reply && (
        <section class="answer" aria-label="Reply">
          <MessageView
            title="Reply"
            about={
              <span role="status">
                <Code status={reply.status} /> {reply.duration.toFixed(0)} ms
              </span>
            }
            message={reply}
          />
        </section>
      )}
    </form>
  );
};
