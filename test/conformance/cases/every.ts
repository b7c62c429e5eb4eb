/** What every operation refuses in strict mode, which only a mock has (behaviour T2). */
import { inferred, sends, table } from '../../../src/conformance/case.ts';
import { names, sampleOf, unknownTo } from '../../../src/conformance/cases/every.ts';
import { loadContract } from '../../../src/service/document.ts';
import { STRICT } from '../steps.ts';

export const EVERY = loadContract().operations.flatMap((operation) => {
  const { operationId: id } = operation;
  const calls = unknownTo(operation).map((more) =>
    sends(id, sampleOf(operation, { ...more, headers: STRICT }), names('colour')));
  return calls.length === 0 ? [] : table([
    id, inferred('T2', `${id} refuses unknown parameters and members in strict mode`, calls)]);
});
