/** Reading a posted form: bounded, uncompressed, by name, and safe from names with a meaning of their own. */
import express, { type Request, type Response } from 'express';
import { badForm, formTooLarge, notAForm } from './refusal.ts';

const LIMIT = 64 * 1024;
const MEDIA_TYPE = 'application/x-www-form-urlencoded';

const readBytes = express.raw({ type: () => true, limit: LIMIT, inflate: false });

/** Fields by name; of one that is sent more than once the last. */
export type Form = ReadonlyMap<string, string>;

/**
 * The form in a request's body. No body is an empty form.
 * @throws Refusal 413 over 64 KiB, 415 for another media type or a compressed body, 400 for a field named `__proto__`
 */
export const readForm = async (request: Request, response: Response): Promise<Form> => {
  await new Promise<void>((resolve, reject) => {
    readBytes(request, response, (error?: unknown) =>
      error === undefined ? resolve() : reject(toRefusal(error)),
    );
  });
  const { body } = request;
  if (!Buffer.isBuffer(body) || body.length === 0) return new Map();
  if (mediaTypeOf(request) !== MEDIA_TYPE) throw notAForm();
  const form = new Map(new URLSearchParams(body.toString('utf8')));
  if (form.has('__proto__')) throw badForm('A field may not be named __proto__.'); // behaviour T10
  return form;
};

const mediaTypeOf = ({ headers }: Request): string | undefined =>
  headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();

const toRefusal = (error: unknown): Error => {
  const { type } = error as { readonly type?: unknown }; // body-parser names what went wrong
  if (type === 'entity.too.large') return formTooLarge(LIMIT);
  if (type === 'encoding.unsupported') return notAForm();
  return badForm('It ended before all of it had arrived.');
};
