/** Why a call was refused: what it broke, the rule in words, and where to see a call that works. */
import { type Schemas, send } from '../live/api.ts';
import { useEnvironment } from '../live/environment.tsx';
import { useLoaded } from '../live/loaded.tsx';
import { readApi } from '../live/schemas.ts';
import type { ContractDocument } from '../reference/document.ts';
import { RuleLink, toInline } from '../reference/prose.tsx';
import { addressOf } from '../route.ts';

type Entry = Schemas['Request'];

/** What the contract says of this status where it describes the operation. */
const sentencesOf = ({ operations }: ContractDocument, { operation, status }: Entry): string[] => {
  const found = operations.find(({ operationId }) => operationId === operation);
  const sentences = (found?.description ?? '').replaceAll('\n', ' ').split(/(?<=[.]) /);
  return sentences.filter((sentence) => sentence.includes(String(status)));
};

export const Why = ({ entry }: { readonly entry: Entry }) => {
  const { name } = useEnvironment();
  const contract = useLoaded('', readApi);
  const { reason, rule, violations, fault, operation, status } = entry;
  const sentences = contract.value && fault === undefined ? sentencesOf(contract.value, entry) : [];
  return (
    <section class="why card" aria-labelledby="why">
      <h3 id="why">Why {status === 0 ? 'it was broken off' : status}</h3>
      {fault !== undefined && (
        <p>
          The fault <code>{fault}</code> decided this call.{' '}
          <a href={addressOf({ environment: name, view: 'faults' })}>Faults</a>
        </p>
      )}
      {fault === undefined && violations.length === 0 && <p>{reason}</p>}
      {violations.length > 0 && (
        <ul class="violations" aria-label="Violated">
          {violations.map(({ field, constraint, description }) => (
            <li key={field + constraint}>
              <code>{field || 'body'}</code> <span class="tag bad">{constraint}</span> {description}
            </li>
          ))}
        </ul>
      )}
      {sentences.length > 0 && (
        <p>
          <span class="quiet">The contract on {status} here:</span> {toInline(sentences.join(' '))}
        </p>
      )}
      {rule !== undefined && <Rule rule={rule} />}
      {operation !== undefined && (
        <p>
          What works:{' '}
          <a href={`docs${addressOf({ environment: name, view: operation })}`} target="_blank" rel="noopener">
            {operation} with values filled in
          </a>
        </p>
      )}
    </section>
  );
};

let page: Promise<Document> | undefined;

/** A rule in the words of the guide. @returns "" where the guide cannot be had */
const readRule = async (rule: string): Promise<string> => {
  page ??= send('GET', 'guide/rules')
    .then((response) => response.text())
    .then((html) => new DOMParser().parseFromString(html, 'text/html'));
  return (await page).getElementById(rule.toLowerCase())?.closest('li')?.textContent ?? '';
};

const Rule = ({ rule }: { readonly rule: string }) => {
  const words = useLoaded(rule, () => readRule(rule)).value ?? '';
  return (
    <details>
      <summary>
        Rule {rule} {words.slice(rule.length, 90)}…
      </summary>
      <p>
        {words.slice(rule.length)} <RuleLink rule={rule} />
      </p>
    </details>
  );
};
