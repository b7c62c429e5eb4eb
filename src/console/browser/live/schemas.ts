/** Reads the schemas for forms from the control plane's document and from the schema of scenarios. */
import { bodyOf } from '../reference/call.ts';
import { readContract, resolve, type Schema } from '../reference/document.ts';
import { send } from './api.ts';

/** Returns a function that reads a value once and then keeps it. After a failure, the next call reads again. */
export const once = <Value>(read: () => Promise<Value>): (() => Promise<Value>) => {
  let reading: Promise<Value> | undefined;
  return () => {
    reading ??= read().catch((error: Error) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
};

/** The control plane's own document. */
export const readControl = once(() => readContract(true));

/** The API's contract. */
export const readApi = once(() => readContract(false));

/** The schema of the body of a control plane operation. */
export const readBodySchema = async (operationId: string): Promise<Schema> => {
  const { operations } = await readControl();
  const operation = operations.find((each) => each.operationId === operationId);
  return (operation && bodyOf(operation)?.schema) ?? {};
};

const readRows = once(async () => {
  const schema = await (await send('GET', 'assets/scenario.schema.json')).json();
  return resolve(schema, schema.$defs, new Map()) as Readonly<Record<string, Schema>>;
});

/** The schema of a row of a scenario. @param kind the section of the row */
export const readRowSchema = async (kind: string): Promise<Schema> => (await readRows())[kind] ?? {};
