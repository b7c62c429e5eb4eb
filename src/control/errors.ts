/** Writes refusals of the control plane. */
import type { Refusal } from '../core/errors.ts';
import type { Presented } from '../http/plane.ts';

/** The address of the document that describes every call. Refusals without a hint point to it. */
export const DOCUMENT = '/_mock/openapi.json';

export interface ControlErrorBody {
  readonly error: { readonly code: string; readonly message: string; readonly hint: string };
}

export const presentRefusal = (refusal: Refusal): Presented & { readonly body: ControlErrorBody } => {
  const { httpStatus: status, errorCode: code, problem: message, hint } = refusal;
  return {
    status,
    body: { error: { code, message, hint: hint || `All calls are described in ${DOCUMENT}.` } },
  };
};
