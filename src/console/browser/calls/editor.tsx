/** The request editor: address, headers and body of a call, to send it or to copy it. */
import { useState } from 'preact/hooks';
import { parseJson } from '../../../engine/core/object.ts';
import { LEFT_OUT, MASK } from '../../../engine/core/secrets.ts';
import { answer, BASE, controlAuthorization, type Entry, here, type MockSchemas } from '../live/api.ts';
import { attempt, failuresOf, step } from '../parts/acts.ts';
import { CopyButton, ICONS, Menu } from '../parts/buttons.tsx';
import { Code, MessageView, type SampleCall, toCurl } from '../parts/code.tsx';
import { submitted } from '../parts/layout.tsx';

/** The address of the mock, also where it is mounted below a path. */
const ROOT = new URL('..', BASE);

export const readCall = (sequence: number): Promise<Entry> =>
  answer(here.GET('/requests/{sequence}', { params: { path: { sequence } } }));

/** Whether a repeated call gets the environment's token, since the journal keeps none, unless its own was refused. */
const getsToken = ({ status, request }: Entry): boolean =>
  status !== 401 && request.headers.authorization === `Bearer ${MASK}`;

/** The address of a recorded call, which the journal has with the path of the mount or without it. */
const toUrl = (address: string): string =>
  new URL(address.replace(new RegExp(`^(?:${ROOT.pathname}|/)`), './'), ROOT).href;

/** A recorded call as it can be made again. */
export const toSample = (entry: Entry, { name, access_token }: MockSchemas['Environment']): SampleCall => {
  const { method, url, headers, body } = entry.request;
  const sent = Object.entries(headers).filter(([header]) => !LEFT_OUT.test(header));
  const own =
    getsToken(entry) && access_token !== undefined
      ? { authorization: `Bearer ${access_token}` }
      : { 'x-mock-environment': name };
  return {
    method,
    url: toUrl(url),
    headers: { ...Object.fromEntries(sent), ...own },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body, undefined, 2) }),
  };
};

/** What a recorded call lacks, because the journal does not keep it. */
export const notesOf = (entry: Entry, { headers, body = '' }: SampleCall): string => {
  const isCut = entry.request.body_cut || /^\[\d+ bytes/.test(body);
  const isPartial = isCut || JSON.stringify({ headers, body }).includes(MASK);
  const token = getsToken(entry) ? 'The token is the environment’s own. ' : '';
  const advice = `The journal keeps no credentials (${MASK}), and of a body 64 KiB of text: complete the call.`;
  return token + (isPartial ? advice : '');
};

const isRead = (method: string): boolean => /^(?:GET|HEAD)$/.test(method);

export const send = async ({ url, method, headers, body = '' }: SampleCall) => {
  const began = performance.now();
  const hasBody = body !== '' && !isRead(method); // fetch refuses bodies of these
  const own = url.startsWith(BASE) ? controlAuthorization() : {};
  const init = { method, headers: { ...headers, ...own }, redirect: 'manual' as const };
  const response = await fetch(url, { ...init, body: hasBody ? body : null });
  const text = await response.text();
  return {
    status: response.status,
    duration: performance.now() - began,
    headers: Object.fromEntries(response.headers),
    body: parseJson(text) ?? (text || undefined), // a fault can break JSON
  };
};

/** A call as text, as it goes over the wire: method and address, headers, an empty line, the body. */
const write = ({ method, url, headers, body }: SampleCall): string =>
  [
    `${method} ${url.replace(ROOT.origin, '')}`,
    ...Object.entries(headers).map((header) => header.join(': ')),
    ...(body === undefined ? [] : ['', body]),
  ].join('\n');

const read = (text: string): SampleCall => {
  const [head = '', body] = text.trim().split(/\n\s*\n(.*)/s);
  const [line = '', ...headers] = head.split('\n');
  const [method = '', address = ''] = line.split(/\s+/);
  const named = headers.map((header) => header.split(/:\s*(.*)/s).slice(0, 2));
  const url = address.startsWith('/') ? ROOT.origin + address : address;
  return { method: method.toUpperCase(), url, headers: Object.fromEntries(named), ...(body && { body }) };
};

/** Sends a call that Undo can take back, unless it only reads; and asks before it deletes an environment. */
const sendAsStep = (call: SampleCall, label: string): ReturnType<typeof send> | undefined => {
  const { method, url } = call;
  const isDrastic = method === 'DELETE' && /\/_mock\/environments\/[^/]+$/.test(url);
  if (isDrastic && !confirm(`Send DELETE ${url}?`)) return undefined;
  return isRead(method) ? send(call) : step(label, () => send(call));
};

/** @param label what the step is called in Undo */
type EditorProps = Readonly<{ sample: SampleCall; note?: string; label: string }>;

export const Editor = ({ sample, note = '', label }: EditorProps) => {
  const [text, change] = useState(write(sample));
  const [reply, setReply] = useState<Awaited<ReturnType<typeof send>>>();
  const call = read(text);
  const execute = async () => setReply(await sendAsStep(call, label));
  const about = reply && [<Code status={reply.status} />, ` ${Math.round(reply.duration)} ms`];
  return (
    <form class="editor card" aria-label="Request" onSubmit={submitted(() => attempt(execute))}>
      <textarea
        aria-label="Method and address, headers, an empty line, body"
        rows={Math.min(20, text.split('\n').length + 1)}
        {...{ value: text, spellcheck: false }}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      <div class="cluster">
        <button type="submit" class="primary small" children="Send" />
        <CopyButton label="Copy as curl" text={toCurl(call)} />
        {note !== '' && <small>{note}</small>}
      </div>
      {reply && (
        <section class="answer" aria-label="Reply">
          <MessageView title="Reply" {...{ about, message: reply }} />
        </section>
      )}
    </form>
  );
};

export const FailNext = ({ operation }: { readonly operation: string }) => {
  const face = ['Fail the next one ', ICONS.caret];
  const items = failuresOf(operation);
  return <Menu className="small" label={`Fail the next one: ${operation}`} {...{ face, items }} />;
};
