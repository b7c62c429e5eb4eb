/** The schemas of the forms, from the control plane's document and the scenario schema. */
import { bodyOf } from '../reference/call.ts';
import { readContract, resolve, type Schema } from '../reference/document.ts';
import { send } from './api.ts';

/** Reads once and keeps the value; after a failure the next call reads again. */
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

/** The body of an operation of the control plane. */
export const readBodySchema = async (operationId: string): Promise<Schema> => {
  const { operations } = await readControl();
  const operation = operations.find((each) => each.operationId === operationId);
  return (operation && bodyOf(operation)?.schema) ?? {};
};

const readRows = once(async () => {
  const schema = await (await send('GET', 'assets/scenario.schema.json')).json();
  return resolve(schema, schema.$defs, new Map()) as Readonly<Record<string, Schema>>;
});

/** A row of a scenario. @param kind its section */
export const readRowSchema = async (kind: string): Promise<Schema> => (await readRows())[kind] ?? {};
